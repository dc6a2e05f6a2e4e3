// The page's end of the wire. Calls outlive a WebSocket: what has no answer is sent again on the next one, and the host
// has the effect once.

/**
 * @typedef {{action: string, data?: any, status?: string, error?: {code: string, message: string}}} Payload
 * @typedef {{correlationId: string, type: string, sequence?: number, payload: Payload}} Message
 */

/** The longest time between two attempts to connect, in milliseconds. */
const longestDelay = 2000;
/** The code with which a socket closes when the app has ended, and the page with it. */
const appEnded = 4001;
/** How many answers to the host are kept to be sent again, in case they were lost with a socket. */
const keptAnswers = 32;

const pageId = crypto.getRandomValues(new Uint8Array(16)).reduce(
  (digits, byte) => digits + (byte + 256).toString(16).slice(1), "");

/** By this the host knows the page and its document. That it is in a frame, not every request for a document says. */
const identity =
  `page=${pageId}&ticket=${ownScript?.getAttribute("data-footbridge-ticket") ?? ""}${isTopFrame ? "" : "&frame=1"}`;

const socketAddress = `${ownFolder.replace("http", "ws")}bridge?${identity}`;

/** @type {Record<string, (data: any, message: Message) => void>} */
const listeners = create(null);

/**
 * Calls by their correlation ids, in the order in which they were made; and other messages that wait for a connection.
 * The `answer` of one that is in there is its acknowledgement. For the page it goes by its `pagesId`. With which `goodbye` it
 * was sent is counted from 1.
 * @type {Map<unknown, {text: string, isRequest: boolean, pagesId?: any, answer?: string, goodbye?: number,
 *   settle?: (payload: Payload) => void}>}
 */
const unanswered = new NativeMap();

/**
 * The answers to calls that were sent again: a host that was about to answer anyway answers these twice.
 * @type {Map<string, string>}
 */
let repeated = new NativeMap();

/**
 * Finds out what must be known before the host is greeted. Called when there is a connection: the page's own scripts come
 * first.
 * @type {(() => Promise<unknown>) | undefined}
 */
let beforeGreeting;

/**
 * Runs after each greeting, before what may have been lost is sent again.
 * @type {(() => void) | undefined}
 */
let whenGreeted;

/**
 * Takes messages that are no bridge's of the shim, if the page has a bridge for which it makes the messages itself.
 * @type {((message: Message) => void) | undefined}
 */
let deliverToPage;

/** Actions that are answered to the shim, not to the page. */
const ownActions = new RegExp(`^(footbridge|${configuration.bridges.join("|")})\\.`);

/** @type {string[]} */
let answers = [];
/** @type {WebSocket | undefined} */
let socket;
/** @type {WebSocket | undefined} */
let openSocket;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retryTimer;
let failures = 0;
let requests = 0;
let shimRequests = 0;
/** The highest sequence number of the host's messages so far. */
let received = 0;
/** The launch that the host was in when it was greeted last. */
let knownLaunch = "";
/** The correlation id of the last greeting. */
let lastHello = "";
/** Whether the app has ended, and the page with it. */
let hasAppEnded = false;

/**
 * One message as text. Without prototypes, since a `toJSON` that the page puts on one would be called here.
 * @param {string} correlationId
 * @param {"request" | "response"} type
 * @param {Payload} payload - what lies in its data comes from `encode`, or is no object
 */
function messageText(correlationId, type, { data, ...payload }) {
  return stringify({
    __proto__: null, version: "1.0", correlationId, type, timestamp: now(),
    payload: { __proto__: null, ...payload, data: { __proto__: null, ...data } },
  });
}

/**
 * An id of this page alone, and the same for a page that does the same. No message of the page's has one that begins like
 * it. The shim's own requests have a count of their own: when they are made depends on the connection.
 * @param {string} action
 */
const nextId = (action) =>
  action.startsWith("footbridge.") ? `footbridge-shim-${++shimRequests}` : `footbridge-${++requests}`;

/** @param {string} text */
function transmit(text) {
  if (openSocket) sendText(openSocket, text);
  else if (isLeaving) sendGoodbye();
  // The first call does not wait for the timer.
  else if (!failures) connect();
}

/**
 * Sends a request, now or once there is a connection.
 * @param {string} action
 * @param {object} data
 * @param {(payload: Payload) => void} settle - takes the answer
 */
function request(action, data, settle) {
  const correlationId = nextId(action);
  const text = messageText(correlationId, "request", { action, data });
  const isImage = action === "footbridge.sheet.answer";
  const message = lengthProblem(action, text, isImage ? configuration.messageBytes : configuration.callBytes);
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
function answer({ correlationId, payload: { action } }, data) {
  const text = messageText(correlationId, "response", { action, status: "success", data });
  answers[answers.length] = text;
  if (answers.length > keptAnswers) shift(answers);
  transmit(text);
}

/** @param {string} text - of one message */
function receive(text) {
  /** @type {Message} */
  const message = parse(text);
  const { correlationId, payload, sequence = 0, type } = message;
  const isOwn = ownActions.test(payload.action);
  failures = 0;
  if (type === "response") {
    const call = mapGet(unanswered, correlationId);
    // What was acknowledged is still to be answered.
    if (payload.status !== "acknowledged") mapDelete(unanswered, correlationId);
    else if (call) call.answer = text;
    if (isOwn) return call?.settle?.(payload);
    const answered = mapGet(repeated, correlationId);
    if (answered === text) return;
    if (answered !== undefined) mapSet(repeated, correlationId, text);
    if (call) message.correlationId = call.pagesId;
    deliverToPage?.(message);
  } else if (sequence > received) {
    received = sequence;
    if (isOwn) listeners[payload.action]?.({ ...payload.data }, message);
    else whenPageListens(() => deliverToPage?.(message));
  }
}

/** Says which document this is and what it has had, then sends again what may have been lost. */
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
    url: location.href, referrer: document.referrer, received, topFrame: isTopFrame, ancestors: foreignAncestors,
  };
  const hello = request("footbridge.hello", data, (payload) => {
    const { launch, resumed, warning } = payload.data ?? {};
    if (warning) warn("Footbridge:", warning);
    // A server that does not know the page counts from 1 again.
    if (!resumed) received = 0;
    if (resumed && launch === knownLaunch) return;
    // Another launch waits for none of the old answers and sheets.
    knownLaunch = launch;
    sheetHost.dismiss?.({});
    answers = [];
  });
  lastHello = hello;
  listen(socket, "close", () => mapDelete(unanswered, hello));
  whenGreeted?.();
  for (let index = 0; index < answers.length; index++) transmit(answers[index]);
  for (let index = 0; index < pending.length; index++) transmit(pending[index]);
}

/** Connects at once unless there is a connection, or one on its way. The host takes none from an opaque origin. */
function connect() {
  if (socket || isOpaque) return;
  stopTimer(retryTimer);
  try {
    const opening = socket = new NativeWebSocket(socketAddress, "footbridge.v1");
    listen(opening, "open", async () => {
      await beforeGreeting?.();
      if (socket !== opening || isLeaving) return;
      openSocket = opening;
      greet();
    });
    listen(opening, "message", (/** @type {MessageEvent<string>} */ { data }) => {
      try {
        receive(data);
      } catch (error) {
        warn("Footbridge:", error);
      }
    });
    listen(opening, "close", (/** @type {CloseEvent} */ { code }) => {
      openSocket = undefined;
      // A page whose app has ended is a dead one until it is loaded anew.
      hasAppEnded = code === appEnded;
      if (hasAppEnded) return sheetHost.dismiss?.({});
      socket = undefined;
      retry();
    });
  } catch {
    retry();
  }
}

/** Connects after a while: twice as long after each failure, up to `longestDelay`, and not in step with other pages. */
function retry() {
  const delay = min(50 * 2 ** failures++, longestDelay);
  retryTimer = startTimer(connect, delay * (0.5 + random() / 2));
}
