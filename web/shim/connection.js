// The page's end of the connection. Calls outlive a WebSocket: the shim sends those without an answer again on the next
// one, and each takes effect exactly once.

import {
  forEach, listen, mapDelete, mapForEach, mapGet, mapSet, min, NativeMap, NativeWebSocket, now, parse, random, sendText,
  shift, startTimer, stopTimer, stringify, warn,
} from "./builtins.js";
import { closesEarly, foreignAncestors, isOpaque, isTopFrame, ownFolder, ownScript } from "./configuration.js";
import { lengthProblem } from "./length.js";
import { hooks, listeners, sheetHost } from "./parts.js";
import { readTitle } from "./title.js";

/**
 * @typedef {{action: string, data?: any, status?: string, error?: {code: string, message: string}}} Payload
 * @typedef {{correlationId: string, type: string, sequence?: number, footbridgeCall?: number, payload: Payload}} Message
 */

/** The longest time between two attempts to connect, in milliseconds. */
const longestDelay = 2000;
/** How long the host may take for its answer to the greeting before the shim says so, in milliseconds. */
const helloTime = 5000;
/** The close code of a socket when the app has ended, and its pages with it. */
const appEnded = 4001;
/** How many sent answers to the host the shim keeps, to send them again if they were lost with a socket. */
const storedAnswers = 32;

const titled = "footbridge.titled";

const pageId = crypto.getRandomValues(new Uint8Array(16)).reduce(
  (digits, byte) => digits + (byte + 256).toString(16).slice(1), "");

/** Identifies the page and its document to the host. Tells whether it is in a frame, which not every request shows. */
export const identity =
  `page=${pageId}&ticket=${ownScript?.getAttribute("data-footbridge-ticket") ?? ""}${isTopFrame ? "" : "&frame=1"}`;

// The host must not take the early end of a socket for the end of the page.
const socketAddress = `${ownFolder.replace("http", "ws")}bridge?${identity}&early=${closesEarly}`;

/**
 * Calls by their correlation ids or numbers, in the order in which they were made, and other messages that wait for a
 * connection. `answer` is the acknowledgement of a call that is still open. `goodbye` is the number of the leaving request
 * that has sent the message, from 1.
 * @type {Map<unknown, {text: string, isRequest: boolean, answer?: string, goodbye?: number,
 *   settle?: (payload: Payload) => void}>}
 */
export const unanswered = new NativeMap();

/**
 * The answers to calls that were sent again: the host may answer such a call twice.
 * @type {Map<unknown, string>}
 */
let repeated = new NativeMap();

/** Actions whose answers are for the shim, not for the page. */
export const ownActions = new RegExp(`^(footbridge|${configuration.bridges.join("|")})\\.`);

/** @type {string[]} */
export let answers = [];
/** @type {WebSocket | undefined} */
export let socket;
/** @type {WebSocket | undefined} */
export let openSocket;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retryTimer;
let failures = 0;
let requests = 0;
let shimRequests = 0;
/** The highest sequence number of the host's messages so far. */
let received = 0;
/** The title that the host knows. */
let knownTitle = "";
/** The host's launch at the last greeting. */
let knownLaunch = "";
/** The correlation id of the last greeting. */
export let lastHello = "";
/** Whether the app has ended, and the page with it. */
export let hasAppEnded = false;
/** Why calls get no answer since then; empty once the console says it. */
let endReason = "";

/** Says why calls get no answer. */
function tellEnd() {
  if (endReason) warn("Footbridge:", endReason);
  endReason = "";
}

/**
 * Returns a message as text. Its objects have no prototypes, because a `toJSON` of the page on one would run here.
 * @param {string} correlationId
 * @param {"request" | "response"} type
 * @param {Payload} payload - values in its data come from `encode`, or are not objects
 */
export function messageText(correlationId, type, { data, ...payload }) {
  return stringify({
    __proto__: null, version: "1.0", correlationId, type, timestamp: now(),
    payload: { __proto__: null, ...payload, data: { __proto__: null, ...data } },
  });
}

/**
 * Returns an id that no other page uses, and that is the same for a page that does the same. No message of the page has an
 * id with this beginning. The shim counts its own requests separately, because their order depends on the connection.
 * @param {string} action
 */
export const nextId = (action) =>
  action.startsWith("footbridge.") ? `footbridge-shim-${++shimRequests}` : `footbridge-${nextNumber()}`;

/** Returns the number of the page's next request. */
export const nextNumber = () => ++requests;

/** @param {string} text */
export function transmit(text) {
  if (openSocket) sendText(openSocket, text);
  else if (hooks.leave) hooks.leave();
  else if (hasAppEnded) tellEnd();
  // The first call does not wait for the timer.
  else if (!failures) connect();
}

/**
 * Sends a request, now or as soon as there is a connection.
 * @param {string} action
 * @param {object} data
 * @param {(payload: Payload) => void} settle - takes the answer
 * @param {number} [limit] - the maximum size in bytes
 */
export function request(action, data, settle, limit = configuration.callBytes) {
  const correlationId = nextId(action);
  const text = messageText(correlationId, "request", { action, data });
  const message = lengthProblem(action, text, limit);
  if (message) {
    settle({ action, status: "error", error: { code: "bridge.parametersNotRepresentable", message } });
  } else {
    mapSet(unanswered, correlationId, { text, isRequest: true, settle });
    transmit(text);
  }
  return correlationId;
}

/**
 * @param {Message} message - a request of the host
 * @param {object} data
 */
export function answer({ correlationId, payload: { action } }, data) {
  const text = messageText(correlationId, "response", { action, status: "success", data });
  answers[answers.length] = text;
  // Without a connection, none of the answers since then has been sent.
  while (openSocket && answers.length > storedAnswers) shift(answers);
  transmit(text);
}

/** Why calls may wait, as the console has said it. */
let lastReason = "";
/** @param {string} reason - why calls may wait: the console says it once */
const tellWait = (reason) => reason === lastReason || warn("Footbridge: calls may wait:", lastReason = reason);
const tellMock = () => tellWait(`${ownFolder}bridge is mocked, or busy.`);
export const tellOffline = () => navigator.onLine || tellWait("the browser is offline. See offline() of the kits.");

/** @param {string} text - one message */
export function receive(text) {
  /** @type {Message} */
  const message = parse(text);
  const { correlationId, footbridgeCall: key, payload, sequence = 0, type } = message;
  const id = key ?? correlationId;
  const isOwn = ownActions.test(payload.action);
  failures = 0;
  if (type === "response") {
    const call = mapGet(unanswered, id);
    // An acknowledged call still waits for its answer.
    if (payload.status !== "acknowledged") mapDelete(unanswered, id);
    else if (call) call.answer = text;
    if (isOwn && !key) return call?.settle?.(payload);
    const answered = mapGet(repeated, id);
    if (answered === text) return;
    if (answered !== undefined) mapSet(repeated, id, text);
    hooks.deliver?.(message);
  } else if (sequence > received) {
    received = sequence;
    if (isOwn) listeners[payload.action]?.({ ...payload.data }, message);
    else hooks.deliver?.(message);
  }
}

/** Tells the host that the document has another title. The next greeting does so, too. */
export function tellTitle() {
  if (!openSocket || readTitle() === knownTitle) return;
  knownTitle = readTitle();
  transmit(messageText(nextId(titled), "request", { action: titled, data: { title: knownTitle } }));
}

/** Tells the host which document this is and what it has received, then sends possibly lost messages again. */
function greet() {
  /** @type {string[]} */
  const pending = [];
  repeated = new NativeMap();
  mapForEach(unanswered, (/** @type {any} */ { text, isRequest, answer = "" }, /** @type {any} */ id) => {
    pending[pending.length] = text;
    if (isRequest) mapSet(repeated, id, answer);
    else mapDelete(unanswered, id);
  });
  const data = {
    url: location.href, title: knownTitle = readTitle(), referrer: document.referrer, received,
    topFrame: isTopFrame, ancestors: foreignAncestors,
  };
  const hello = request("footbridge.hello", data, (payload) => {
    lastReason = "";
    const { launch, resumed, warning } = payload.data ?? {};
    if (warning) warn("Footbridge:", warning);
    // A server that does not know the page starts again at 1.
    if (!resumed) received = 0;
    if (resumed && launch === knownLaunch) return;
    // Another launch does not wait for old answers and sheets.
    knownLaunch = launch;
    sheetHost.dismiss?.({});
    answers = [];
  });
  lastHello = hello;
  startTimer(() => mapGet(unanswered, hello) && tellMock(), helloTime);
  listen(socket, "close", () => mapDelete(unanswered, hello));
  hooks.hello?.();
  forEach(answers, transmit);
  forEach(pending, transmit);
}

/** Connects now, unless there is a connection or an attempt. The host accepts no connection from an opaque origin. */
export function connect() {
  if (socket || isOpaque || hooks.leave) return;
  stopTimer(retryTimer);
  try {
    const opening = socket = new NativeWebSocket(socketAddress, "footbridge.v1");
    listen(opening, "open", async () => {
      await hooks.before?.();
      if (socket !== opening || hooks.leave) return;
      openSocket = opening;
      greet();
    });
    listen(opening, "message", (/** @type {MessageEvent<string>} */ { data }) => {
      if (!/"correlationId"/.test(data)) return tellMock();
      try {
        receive(data);
      } catch (error) {
        warn("Footbridge:", error);
      }
    });
    listen(opening, "close", (/** @type {CloseEvent} */ { code, reason }) => {
      if (socket !== opening) return;
      openSocket = undefined;
      // A page whose app has ended stays dead until it reloads.
      hasAppEnded = code === appEnded;
      if (hasAppEnded) {
        endReason = reason;
        mapForEach(unanswered, tellEnd);
        return sheetHost.dismiss?.({});
      }
      socket = undefined;
      tellOffline();
      retry();
    });
  } catch {
    retry();
  }
}

/** Connects after a random delay, which doubles after each failure, up to `longestDelay`. */
function retry() {
  const delay = min(50 * 2 ** failures++, longestDelay);
  retryTimer = startTimer(connect, delay * (0.5 + random() / 2));
}

/**
 * Stops using the socket, as the page leaves. If the page returns, it gets another one.
 * @returns the socket, which may still be connecting
 */
export function releaseSocket() {
  const released = socket;
  openSocket = socket = undefined;
  return released;
}
