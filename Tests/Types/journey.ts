// A page that uses both directions of GBGBridge: it is not run, it must type-check.

type Answer<Action extends keyof GBGActions> = GBGResponse<Action, GBGActions[Action]["response"]>["payload"];

function ask<Action extends keyof GBGActions>(action: Action, data: GBGActions[Action]["request"]): Promise<Answer<Action>> {
  const correlationId = `web-${Date.now()}`;
  const request: GBGRequest<Action, GBGActions[Action]["request"]> = {
    version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action, data },
  };
  return new Promise((resolve) => {
    window.addEventListener("gbgbridge:message", ({ detail }) => {
      if (detail.type === "response" && detail.correlationId === correlationId) resolve(detail.payload as Answer<Action>);
    });
    void window.webkit.messageHandlers.gbgBridge.postMessage(request);
  });
}

async function verify(): Promise<void> {
  const { data: answer } = await ask("capability.query", {});
  const camera: GBGCapabilityInfo | undefined = answer?.capabilities["camera.document"];
  const permission: GBGPermissionState | undefined = camera?.permissionState;
  console.log(answer?.environment, answer?.hostVersion, camera?.version ?? "none", camera?.constraints, permission === "denied");

  const { status, data, error } = await ask("camera.document.capture", { documentType: "passport", side: "front" });
  if (status === "success" && data) show(data);
  else if (status === "error" && error?.recoverable) console.warn(error.code, error.message);

  const selfie = await ask("camera.selfie.capture", {});
  if (selfie.data) console.log(show(selfie.data), selfie.data.encryptedBlobBase64.length, selfie.data.unencryptedBlobBase64.length);
}

function show({ imageBase64, imageWidth, imageHeight, mimeType }: GBGDocumentCapture): HTMLImageElement {
  const image = new Image(imageWidth, imageHeight);
  image.src = `data:${mimeType};base64,${imageBase64}`;
  return image;
}

function watch(): void {
  window.GBGBridge.onNativeMessage = (message: GBGMessage) => {
    if (message.type === "event" && message.payload.action === "journey.cancel") console.log(message.payload.data?.reason);
  };
  const complete: GBGEvent<"journey.complete", { steps: string[] }> = {
    version: "1.0", correlationId: "e", type: "event", timestamp: Date.now(), payload: { action: "journey.complete", data: { steps: ["document"] } },
  };
  const posted: Promise<undefined> = window.webkit.messageHandlers.gbgBridge.postMessage(JSON.stringify(complete));
  posted.catch(console.error);
  const hook: FootbridgeBootstrapHook = { onmessage: (message: GBGMessage) => console.log(message.payload.action) };
  hook.onmessage = (text: string) => console.log(text.length);
}

void verify().then(watch);
