// What a page sends as it leaves. WebKit delivers everything that a page has posted, even in `pagehide`, but a socket that is
// not open by then will never open. So the shim sends everything without an answer in requests that outlive the page
// (`keepalive` in the Fetch standard). The host knows the calls by their correlation ids: a call that the socket has sent, too,
// takes effect exactly once.

import { closeSocket, forEach, mapDelete, mapForEach, NativeBlob, startFetch, then, warn } from "./builtins.js";
import { closesEarly, isOpaque, ownFolder } from "./configuration.js";
import { answers, connect, hasAppEnded, identity, lastHello, openSocket, releaseSocket, unanswered } from "./connection.js";
import { hooks } from "./parts.js";

/** How many bytes a browser allows in such requests of one page. */
const goodbyeBytes = 65_536;

/** How often the page has left. It may return from the page cache. */
let goodbyes = 0;
/** The number of requests so far, and before the page left this time. The host orders the requests by them. */
let goodbyeParts = 0;
let firstGoodbyePart = 0;
let goodbyeRoom = 0;
/** Whether the host may lack what the socket has sent last: no goodbye of this departure has told it yet. */
let isSocketLost = false;
/** Whether the browser puts the page into its page cache. */
let isCached = false;

/** @param {PageTransitionEvent} event - ignored if the page has made it itself */
export function leave({ isTrusted, persisted }) {
  if (!isTrusted || isOpaque || hasAppEnded || hooks.leave) return;
  hooks.leave = sendGoodbye;
  isCached = persisted;
  goodbyes++;
  firstGoodbyePart = goodbyeParts;
  // A socket that the browser has closed early may still wait for the host's answer to that.
  const wasOpen = openSocket?.readyState === 1;
  isSocketLost = !wasOpen;
  // From now on the shim sends every message at once in its own request: there may be no later moment.
  const leavingSocket = releaseSocket();
  mapDelete(unanswered, lastHello);
  // Messages that the socket has probably sent must not take the room of what the page still has to send.
  goodbyeRoom = wasOpen ? goodbyeBytes / 2 : goodbyeBytes;
  sendGoodbye(wasOpen);
  if (wasOpen) goodbyeRoom += goodbyeBytes / 2;
  // A browser does not cache a page with an open socket. The code tells the host whether the page may come back.
  if (leavingSocket && (persisted || closesEarly)) closeSocket(leavingSocket, persisted ? 4002 : 4003);
}

/**
 * Sends every message that has no answer and that the page has not sent since it began to leave.
 * @param {boolean} [isCarried] - whether the socket has taken all of them: then a message that is too long is not lost
 */
function sendGoodbye(isCarried = false) {
  /** @type {string[]} */
  const lost = [];
  let body = "";
  const add = (/** @type {string} */ text) => {
    // JSON text sequences, RFC 7464.
    const record = `\x1E${text}\n`;
    const { size } = new NativeBlob([record]);
    if (size <= goodbyeRoom) {
      goodbyeRoom -= size;
      body += record;
    } else if (!isCarried) lost[lost.length] = text;
  };
  // Without a socket, the last answers may not have reached the host either. It takes each exactly once.
  if (isSocketLost) forEach(answers, add);
  mapForEach(unanswered, (/** @type {any} */ call, /** @type {any} */ id) => {
    if (call.goodbye === goodbyes || call.answer) return;
    call.goodbye = goodbyes;
    add(call.text);
    if (!call.isRequest) mapDelete(unanswered, id);
  });
  const complain = (/** @type {unknown} */ reason) =>
    warn("Footbridge: as the page leaves, these do not reach the host:", lost, reason);
  if (lost.length) complain(`A leaving page can send ${goodbyeBytes} bytes.`);
  // After a socket that was closed early, the host expects the page back.
  if (!body && !lost.length && !(isSocketLost && closesEarly && lastHello)) return;
  isSocketLost = false;
  // The page's console ends with the page, so the host logs the loss, too.
  const address =
    `${ownFolder}goodbye?${identity}&part=${goodbyeParts++}&first=${firstGoodbyePart}&lost=${lost.length}&cached=${isCached}`;
  const sending = startFetch(address, /** @type {any} */ ({
    __proto__: null, method: "POST", body, keepalive: true, credentials: "include",
  }));
  then(sending, undefined, (/** @type {unknown} */ error) => {
    if (!body) return;
    lost[lost.length] = body;
    complain(error);
  });
}

/** Runs when the page is shown, perhaps from the page cache. */
export function comeBack() {
  hooks.leave = undefined;
  connect();
}
