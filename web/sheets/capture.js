/**
 * An image as the host takes it.
 * @typedef {{imageBase64: string, imageWidth: number, imageHeight: number, mimeType: string}} CapturedImage
 */

/** The most that an image may take as text: the host refuses messages that are larger than 16 MiB. */
const longestImage = 12 << 20;

/**
 * What is asked of the browser, and shown, for each kind of capture. Sizes are wishes: the camera decides.
 * @type {Record<string, {mimeType: string, video: MediaTrackConstraints, hint: string, path: string}>}
 */
const captureKinds = {
  document: {
    mimeType: "image/png",
    video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
    hint: "Fit it inside the frame and hold still.",
    path: "M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2ZM6.5 15.5c.4-1.6 1.4-2.3 2.5-2.3"
      + "s2.1.7 2.5 2.300M9 11a1.4 1.4 0 1 0 0-2.800A1.4 1.4 0 0 0 9 11ZM14.5 10h3.500M14.5 14h3.5",
  },
  selfie: {
    mimeType: "image/jpeg",
    video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 960 } },
    hint: "Look straight ahead, with your face inside the oval.",
    path: "M12 21c4.4 0 7-4 7-9.500C19 6.5 16 3 12 3S5 6.5 5 11.500C5 17 7.6 21 12 21ZM9.3 10.200v.8M14.7 10.200v.8"
      + "M9.5 15.500c1.6 1.3 3.4 1.3 5 0",
  },
};

/**
 * @param {{capability: string, documentType?: string, side?: string}} content
 * @returns {SheetParts}
 */
function captureSheet({ capability, documentType, side }) {
  const isSelfie = capability === "selfie";
  const { mimeType, video: wishes, hint, path } = captureKinds[isSelfie ? "selfie" : "document"];
  const status = element("span", { role: "status" });
  const video = /** @type {HTMLVideoElement} */ (element("video", { playsinline: "", "aria-label": "Camera" }));
  const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { role: "img", "aria-label": "Your photo" }));
  const frame = element("span", { class: `guide ${isSelfie ? "oval" : "rectangle"}` });
  const view = element("div", { class: "view" }, video, canvas, frame);
  const file = /** @type {HTMLInputElement} */ (element("input", { type: "file", accept: "image/*", hidden: "" }));
  const take = captureButton("Take photo", "primary");
  const retake = captureButton("Retake", "plain");
  const use = element("button", { class: "primary" }, "Use photo");
  const choose = captureButton("Choose a photo", "primary");

  /** @type {MediaStream | undefined} */
  let stream;
  /** @type {CapturedImage | undefined} */
  let image;
  let isClosed = false;

  /**
   * @param {"starting" | "live" | "review" | "unavailable"} state
   * @param {string} text - what the person is told
   */
  const show = (state, text) => {
    status.textContent = text;
    view.hidden = state === "unavailable";
    video.hidden = state === "review";
    frame.hidden = state !== "live";
    canvas.hidden = use.hidden = state !== "review";
    take.hidden = state !== "live";
    retake.hidden = state !== "review";
    retake.textContent = stream ? "Retake" : "Choose another";
    choose.hidden = state !== "unavailable";
    // The button with the focus may have gone; none takes its place, so that no key is taken for another's.
    view.closest("dialog")?.focus();
  };
  const goLive = () => show("live", hint);
  const stop = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = undefined;
  };
  /** @param {string} reason */
  const doWithout = (reason) => {
    stop();
    if (!isClosed) show("unavailable", `${reason} Choose a photo instead.`);
  };

  const start = async () => {
    show("starting", "Starting the camera. The browser may ask whether this page may use it.");
    try {
      const granted = await navigator.mediaDevices.getUserMedia({ video: wishes });
      stream = granted;
      if (isClosed) return stop();
      for (const track of granted.getTracks()) {
        track.addEventListener("ended", () => stream === granted && !image && doWithout("The camera has stopped."));
      }
      video.muted = true;
      video.srcObject = granted;
      await video.play();
      view.style.aspectRatio = `${video.videoWidth} / ${video.videoHeight}`;
      goLive();
    } catch (error) {
      doWithout(cameraProblem(error));
    }
  };

  /** @param {CanvasImageSource} source @param {number} width @param {number} height */
  const draw = (source, width, height) => {
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d")?.drawImage(source, 0, 0, width, height);
    image = imageOf(canvas, mimeType);
    view.style.aspectRatio = `${width} / ${height}`;
    show("review", isSelfie ? "Is your face sharp and well lit?" : "Is everything sharp and easy to read?");
  };
  const pick = async () => {
    const [picked] = file.files ?? [];
    if (!picked) return;
    try {
      const bitmap = await createImageBitmap(picked);
      draw(bitmap, bitmap.width, bitmap.height);
      if (image && picked.type === mimeType && picked.size < longestImage / 2) {
        image = { ...image, imageBase64: await base64(picked), imageWidth: bitmap.width, imageHeight: bitmap.height };
      }
    } catch {
      show("unavailable", `${picked.name} is no image that this browser can read. Choose another photo.`);
    }
    file.value = "";
  };

  take.addEventListener("click", () => draw(video, video.videoWidth, video.videoHeight));
  retake.addEventListener("click", () => {
    image = undefined;
    if (!stream) return file.click();
    view.style.aspectRatio = `${video.videoWidth} / ${video.videoHeight}`;
    goLive();
  });
  choose.addEventListener("click", () => file.click());
  file.addEventListener("change", pick);
  // Closing the browser's picker is not closing the sheet.
  file.addEventListener("cancel", (event) => event.stopPropagation());

  return {
    title: isSelfie ? "Take a selfie" : `Photograph ${documentText(documentType, side)}`,
    description: status,
    icon: element("span", { class: "symbol" }, glyph(path)),
    body: [view, file],
    controls: [take, use, choose, retake],
    cancel: "Cancel",
    fields: () => image,
    opened: start,
    closed: () => {
      isClosed = true;
      stop();
    },
  };
}

/**
 * @param {string} label
 * @param {string} style
 */
const captureButton = (label, style) => element("button", { type: "button", class: style }, label);

/**
 * @param {string} [documentType] - as the page names it, such as "passport" or "driving_licence"
 * @param {string} [side]
 * @returns {string} such as "the front of the passport"
 */
function documentText(documentType, side) {
  const words = documentType?.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/[\s_-]+/gu, " ").trim().slice(0, 40);
  const name = `the ${words?.toLowerCase() || "document"}`;
  return side === "front" || side === "back" ? `the ${side} of ${name}` : name;
}

/**
 * @param {unknown} error - what `getUserMedia` rejected with
 * @returns {string} a sentence for the person
 */
function cameraProblem(error) {
  if (!navigator.mediaDevices) return "Pages without https may not use the camera.";
  switch (error instanceof DOMException && error.name) {
    case "NotAllowedError": return "This page may not use the camera.";
    case "NotReadableError": return "The camera is in use elsewhere.";
    case "NotFoundError": return "No camera was found.";
    default: return "The camera does not work here.";
  }
}

/**
 * What is drawn on a canvas, made smaller until it fits into a message.
 * @param {HTMLCanvasElement} canvas
 * @param {string} mimeType
 * @returns {CapturedImage}
 */
function imageOf(canvas, mimeType) {
  const { width, height } = canvas;
  const [head, imageBase64] = canvas.toDataURL(mimeType, 0.92).split(",");
  if (imageBase64.length <= longestImage) {
    return { imageBase64, imageWidth: width, imageHeight: height, mimeType: head.slice("data:".length, -";base64".length) };
  }
  const scale = Math.sqrt(longestImage / imageBase64.length) * 0.9;
  const smaller = document.createElement("canvas");
  smaller.width = Math.max(1, Math.round(width * scale));
  smaller.height = Math.max(1, Math.round(height * scale));
  smaller.getContext("2d")?.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return imageOf(smaller, mimeType);
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
const base64 = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(String(reader.result).split(",")[1]));
  reader.addEventListener("error", () => reject(reader.error));
  reader.readAsDataURL(blob);
});
