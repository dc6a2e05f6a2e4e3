import { element, glyph } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { fill } from "../../../sheets/language.js";
import { sheetButton } from "../../../sheets/shown.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */
/** @typedef {import("../../../sheets/words/en.js").SheetWords} SheetWords */

/**
 * An image in the form that the host accepts. Of a PNG or JPEG file it reads the size itself.
 * @typedef {{imageBase64: string, imageWidth?: number, imageHeight?: number, mimeType?: string}} CapturedImage
 */

/** The maximum length of an image as text. The host refuses messages larger than 16 MiB. */
const longestImage = 12 << 20;

/**
 * For each kind of capture: the type of the image, the request to the browser, and the frame. The camera may choose other sizes.
 * @type {Record<string, {mimeType: string, video: MediaTrackConstraints, path: string}>}
 */
const captureKinds = {
  document: {
    mimeType: "image/png",
    video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
    path: "M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2ZM6.5 15.5c.4-1.6 1.4-2.3 2.5-2.3"
      + "s2.1.7 2.5 2.300M9 11a1.4 1.4 0 1 0 0-2.800A1.4 1.4 0 0 0 9 11ZM14.5 10h3.500M14.5 14h3.5",
  },
  selfie: {
    mimeType: "image/jpeg",
    video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 960 } },
    path: "M12 21c4.4 0 7-4 7-9.500C19 6.5 16 3 12 3S5 6.5 5 11.500C5 17 7.6 21 12 21ZM9.3 10.200v.8M14.7 10.200v.8"
      + "M9.5 15.500c1.6 1.3 3.4 1.3 5 0",
  },
};

/**
 * @param {{capability: string, documentType?: string, side?: string}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function captureSheet({ capability, documentType, side }, language) {
  const { words, textWith } = language;
  const isSelfie = capability === "selfie";
  const { mimeType, video: wishes, path } = captureKinds[isSelfie ? "selfie" : "document"];
  const status = element("span", { role: "status" });
  const video = /** @type {HTMLVideoElement} */ (element("video", { playsinline: "", "aria-label": words.camera }));
  const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { role: "img", "aria-label": words.photo }));
  const frame = element("span", { class: `guide ${isSelfie ? "oval" : "rectangle"}` });
  const picture = element("div", { class: "picture" }, video, canvas, frame);
  const view = element("div", { class: "view" }, picture);
  const file = /** @type {HTMLInputElement} */ (element("input", { type: "file", accept: "image/*", hidden: "" }));

  /** @type {MediaStream | undefined} */
  let stream;
  /** @type {CapturedImage | undefined} */
  let image;
  let isClosed = false;
  /**
   * The available cameras, once the page may use one.
   * @type {string[]}
   */
  let cameras = [];

  const take = sheetButton(words.takePhoto, "primary", () => draw(video, video.videoWidth, video.videoHeight));
  const use = sheetButton(words.usePhoto, "primary");
  const choose = sheetButton(words.choosePhoto, "primary", () => file.click());
  const retake = sheetButton(words.retake, "plain", () => {
    image = undefined;
    if (!stream) return file.click();
    goLive();
  });
  const change = sheetButton(words.switchCamera, "plain", () => {
    const [track] = stream?.getVideoTracks() ?? [];
    const next = cameras[(cameras.indexOf(track?.getSettings().deviceId ?? "") + 1) % cameras.length];
    stop();
    start({ ...wishes, facingMode: undefined, deviceId: { exact: next } });
  });

  /**
   * @param {"starting" | "live" | "review" | "unavailable"} state
   * @param {string} text - for the person
   */
  const show = (state, text) => {
    status.textContent = text;
    // Without a picture, the sheet looks like the others.
    view.parentElement?.classList.toggle("camera", state !== "unavailable");
    view.hidden = state === "unavailable";
    video.hidden = state === "review";
    frame.hidden = state !== "live";
    canvas.hidden = use.hidden = state !== "review";
    take.hidden = state !== "live";
    change.hidden = state !== "live" || cameras.length < 2;
    retake.hidden = state !== "review";
    retake.textContent = stream ? words.retake : words.chooseAnother;
    choose.hidden = state !== "unavailable";
    // The focused button may be gone. No other button gets the focus, so that no key presses the wrong button.
    if (/** @type {ShadowRoot | Document} */ (view.getRootNode()).activeElement) /** @type {HTMLElement | null} */ (view.closest(".screen"))?.focus();
  };
  /** @param {number} width @param {number} height */
  const resize = (width, height) => picture.style.setProperty("--ratio", String(width / height));
  const goLive = () => {
    resize(video.videoWidth, video.videoHeight);
    show("live", isSelfie ? words.selfieHint : words.documentHint);
  };
  const stop = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = undefined;
  };
  /** @param {string} reason */
  const doWithout = (reason) => {
    stop();
    if (!isClosed) show("unavailable", fill(words.instead, { reason }));
  };

  /** @param {MediaTrackConstraints} constraints */
  const start = async (constraints) => {
    show("starting", words.starting);
    try {
      const granted = await navigator.mediaDevices.getUserMedia({ video: constraints });
      stream = granted;
      if (isClosed) return stop();
      for (const track of granted.getTracks()) {
        track.addEventListener("ended", () => stream === granted && !image && doWithout(words.cameraStopped));
      }
      video.muted = true;
      video.srcObject = granted;
      await video.play();
      const devices = await navigator.mediaDevices.enumerateDevices();
      cameras = devices.filter(({ kind }) => kind === "videoinput").map(({ deviceId }) => deviceId);
      if (stream === granted) goLive();
    } catch (error) {
      doWithout(cameraProblem(error, words));
    }
  };

  /** @param {CanvasImageSource} source @param {number} width @param {number} height */
  const draw = (source, width, height) => {
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d")?.drawImage(source, 0, 0, width, height);
    image = imageOf(canvas, mimeType);
    resize(width, height);
    show("review", isSelfie ? words.checkSelfie : words.checkDocument);
  };
  file.addEventListener("change", async () => {
    const [picked] = file.files ?? [];
    if (!picked) return;
    try {
      const bitmap = await createImageBitmap(picked);
      draw(bitmap, bitmap.width, bitmap.height);
      if (image && picked.type === mimeType && picked.size < longestImage / 2) {
        image = { imageBase64: await base64(picked) };
      }
    } catch {
      show("unavailable", textWith(words.noImage, { file: picked.name }));
    }
    file.value = "";
  });

  return {
    title: isSelfie ? words.selfieTitle : documentTitle(documentType, side, language),
    description: status,
    icon: element("span", { class: "symbol" }, glyph(path)),
    body: [file],
    view,
    controls: [take, use, choose, change, retake],
    approve: use,
    cancel: words.cancel,
    note: words.captureNote,
    fields: () => image,
    opened: () => start(wishes),
    closed: () => {
      isClosed = true;
      stop();
    },
  };
}

/**
 * The names that pages use for documents, without spaces and signs, and our words for them.
 * @type {[RegExp, keyof SheetWords["documents"]][]}
 */
const documentNames = [
  [/^(id|identity)?document$/, "document"],
  [/^passport$/, "passport"],
  [/^driv(er|ers|ing)licen[cs]e$/, "drivingLicence"],
  [/^(national)?(id|identity)card$|^nationalid$/, "identityCard"],
  [/^residen(ce|t)(permit|card)$/, "residencePermit"],
];

/**
 * @param {string | undefined} documentType - the page's name for it, such as "passport" or "driving_licence"
 * @param {string | undefined} side
 * @param {Language} language
 * @returns {string} such as "Photograph the front of the passport"
 */
function documentTitle(documentType = "", side, { words, isolated }) {
  const name = documentType.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/[\s_-]+/gu, " ").trim().slice(0, 40).toLowerCase();
  const letters = name.replace(/[^a-z]/g, "");
  const [, known = name ? undefined : "document"] = documentNames.find(([names]) => names.test(letters)) ?? [];
  const title = side === "front" ? words.frontTitle : side === "back" ? words.backTitle : words.documentTitle;
  return fill(title, { document: known ? words.documents[known] : isolated(name) });
}

/**
 * @param {unknown} error - the error of `getUserMedia`
 * @param {SheetWords} words
 * @returns {string} a sentence for the person
 */
function cameraProblem(error, words) {
  if (!navigator.mediaDevices) return words.cameraInsecure;
  switch (error instanceof DOMException && error.name) {
    case "NotAllowedError": return words.cameraDenied;
    case "NotReadableError": return words.cameraBusy;
    case "NotFoundError": return words.cameraMissing;
    default: return words.cameraBroken;
  }
}

/**
 * Returns the picture on a canvas, scaled down until it fits into a message.
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

sheetKinds.capture = captureSheet;
