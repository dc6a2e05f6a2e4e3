// What a page posts to `webkit.messageHandlers.gbgBridge` and what it gets back: the envelope of GBGBridge's reference. Where
// the reference is silent, a comment says that a type is Footbridge's own. This is a global declaration file: include it in
// your project, or refer to it with /// <reference path="gbgbridge.d.ts" />.

/** A JSON value. */
type GBGJSONValue = string | number | boolean | null | GBGJSONValue[] | { [name: string]: GBGJSONValue };

/** JSON data by name; a member that is `undefined` is left out. */
type GBGData = { [name: string]: GBGJSONValue | undefined };

/** The outcome of a request. */
type GBGResponseStatus = "success" | "error" | "cancelled" | "unsupported" | "acknowledged";

/** Why a request failed. `code` is free text from the host, such as "BUSY" or "CAMERA_DENIED". */
interface GBGError {
  code: string;
  message: string;
  recoverable: boolean;
}

/** What all messages have in common. `timestamp` is in milliseconds since 1970. */
interface GBGEnvelope<Type extends "request" | "response" | "event", Payload> {
  version: string;
  /** Connects a response with its request. The sender chooses its form. */
  correlationId: string;
  type: Type;
  timestamp: number;
  payload: Payload;
}

/** A request, usually from the page. */
type GBGRequest<Action extends string = string, Data extends GBGData = GBGData> = GBGEnvelope<
  "request",
  { action: Action; data?: Data }
>;

/** The response to a request: the request's correlation id and action. `error` comes with the status "error". */
type GBGResponse<Action extends string = string, Data extends GBGData = GBGData> = GBGEnvelope<
  "response",
  { action: Action; status: GBGResponseStatus; data?: Data; error?: GBGError }
>;

/** A notification, in either direction; nothing answers it. */
type GBGEvent<Action extends string = string, Data extends GBGData = GBGData> = GBGEnvelope<
  "event",
  { action: Action; data?: Data }
>;

/** Every message that a page may post or get. */
type GBGMessage = GBGRequest | GBGResponse | GBGEvent;

/** Whether the person lets the host use the camera. */
type GBGPermissionState = "granted" | "denied" | "notDetermined" | "restricted" | "notApplicable";

/** The host's description of one capability. */
type GBGCapabilityInfo = {
  supported: boolean;
  version: string | null;
  permissionState?: GBGPermissionState;
  constraints?: { [name: string]: GBGJSONValue };
};

/** The data of the response to `capability.query`. */
type GBGCapabilities = {
  environment: "ios";
  hostVersion: string;
  capabilities: { [id: string]: GBGCapabilityInfo };
};

/** The data of a request for `camera.document.capture`. */
type GBGDocumentCaptureRequest = {
  documentType?: string;
  side?: "front" | "back";
};

/** The data of the response to `camera.document.capture`: usually a PNG. */
type GBGDocumentCapture = {
  imageBase64: string;
  imageWidth: number;
  imageHeight: number;
  mimeType: string;
};

/** The data of the response to `camera.selfie.capture`: usually a JPEG. */
type GBGSelfieCapture = GBGDocumentCapture & {
  encryptedBlobBase64: string;
  unencryptedBlobBase64: string;
};

/** Data of the built-in actions' requests and responses. */
interface GBGActions {
  "capability.query": { request: GBGData; response: GBGCapabilities };
  "camera.document.capture": { request: GBGDocumentCaptureRequest; response: GBGDocumentCapture };
  "camera.selfie.capture": { request: GBGData; response: GBGSelfieCapture };
}

/** Page to host. The promise does not contain the answer: it always resolves with `undefined`. */
interface GBGMessageHandler {
  /** Takes an envelope, or its JSON text. */
  postMessage(message: GBGMessage | string): Promise<undefined>;
}

/**
 * Host to page. The vendor publishes that this global exists, but not its members. `onNativeMessage` is Footbridge's own: by
 * the default of `gbg.delivery`, it gets each message if the page has set it.
 */
interface GBGBridgeGlobal {
  onNativeMessage?(message: GBGMessage): void;
}

/** The parameter `footbridge` of a bootstrap script (`gbg.delivery.bootstrap`); Footbridge's own. */
interface FootbridgeBootstrapHook {
  /** Once set, it gets every message from the host; with `as: string`, as JSON text. */
  onmessage?: ((message: GBGMessage) => void) | ((message: string) => void);
}

interface WindowEventMap {
  /** Footbridge's own: dispatched for each message from the host, unless `gbg.delivery` says otherwise. */
  "gbgbridge:message": CustomEvent<GBGMessage>;
}

/** GBGBridge's part of `window.webkit.messageHandlers`. */
interface WebKitMessageHandlers {
  readonly gbgBridge: GBGMessageHandler;
}

interface WebKitNamespace {
  readonly messageHandlers: WebKitMessageHandlers;
}

interface Window {
  readonly webkit: WebKitNamespace;
  GBGBridge: GBGBridgeGlobal;
}
