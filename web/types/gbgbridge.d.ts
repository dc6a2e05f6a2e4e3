// What a page posts to `webkit.messageHandlers.gbgBridge` and what comes back: GBGBridge's envelope as its reference has
// it. Where the reference is silent a comment says that this is Footbridge's own. A global declaration file: include it
// in a project, or refer to it with /// <reference path="gbgbridge.d.ts" />.

/** A JSON value. */
type GBGJSONValue = string | number | boolean | null | GBGJSONValue[] | { [name: string]: GBGJSONValue };

/** JSON data by name; a member that is `undefined` is left out. */
type GBGData = { [name: string]: GBGJSONValue | undefined };

/** What a response says of its request. */
type GBGResponseStatus = "success" | "error" | "cancelled" | "unsupported" | "acknowledged";

/** Why a request failed. `code` is free text of the host's, such as "BUSY" or "CAMERA_DENIED". */
interface GBGError {
  code: string;
  message: string;
  recoverable: boolean;
}

/** What all messages have in common. `timestamp` is in milliseconds since 1970. */
interface GBGEnvelope<Type extends "request" | "response" | "event", Payload> {
  version: string;
  /** Joins a response to its request. Its form is the sender's choice. */
  correlationId: string;
  type: Type;
  timestamp: number;
  payload: Payload;
}

/** A request, from the page as a rule. */
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

/** Everything that may be posted, and everything that may come. */
type GBGMessage = GBGRequest | GBGResponse | GBGEvent;

/** Whether the person lets the host use the camera. */
type GBGPermissionState = "granted" | "denied" | "notDetermined" | "restricted" | "notApplicable";

/** What the host says of one capability. */
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

/** The data of the response to `camera.document.capture`: a PNG as a rule. */
type GBGDocumentCapture = {
  imageBase64: string;
  imageWidth: number;
  imageHeight: number;
  mimeType: string;
};

/** The data of the response to `camera.selfie.capture`: a JPEG as a rule. */
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

/** Page to native. The promise says nothing of the answer: it resolves `undefined` whatever the message is. */
interface GBGMessageHandler {
  /** Takes an envelope, or its JSON text. */
  postMessage(message: GBGMessage | string): Promise<undefined>;
}

/**
 * Native to page. That a global of this name exists is the vendor's; what is in it is not published, and this member is
 * Footbridge's own: the default of `gbg.delivery` calls it, if the page has set it, with each message.
 */
interface GBGBridgeGlobal {
  onNativeMessage?(message: GBGMessage): void;
}

/** What a bootstrap script (`gbg.delivery.bootstrap`) finds as `footbridge`; Footbridge's own. */
interface FootbridgeBootstrapHook {
  /** Once set, it takes every message from native: as JSON text with `as: string`. */
  onmessage?: ((message: GBGMessage) => void) | ((message: string) => void);
}

interface WindowEventMap {
  /** Footbridge's own: dispatched for each message from native, unless `gbg.delivery` says otherwise. */
  "gbgbridge:message": CustomEvent<GBGMessage>;
}

/** `window.webkit.messageHandlers`, as far as GBGBridge knows it. */
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
