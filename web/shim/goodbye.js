// What a page sends as it leaves. WebKit delivers all that a page has posted, even in `pagehide`, and a socket that is not open
// by then never will be. So all that has no answer goes out in requests that outlive the page (`keepalive` in the Fetch
// standard). The host knows the calls by their correlation ids: what the socket has carried, too, is done once.

/** How many bytes a browser lets a page send in such requests. */
const goodbyeBytes = 65_536;

/** How often the page has left: it may come back from the back/forward cache. */
let goodbyes = 0;
let isLeaving = false;
/** How many requests there were so far, and how many before the page left this time. The host puts them in order by that. */
let goodbyeParts = 0;
let firstGoodbyePart = 0;
let goodbyeRoom = 0;

/** @param {Event} event - not one that the page has made up */
function leave({ isTrusted }) {
  if (!isTrusted || isOpaque || hasAppEnded || isLeaving) return;
  isLeaving = true;
  goodbyes++;
  firstGoodbyePart = goodbyeParts;
  const wasOpen = openSocket !== undefined;
  // From now on every message goes out at once in a request of its own: there may be no later moment.
  openSocket = undefined;
  mapDelete(unanswered, lastHello);
  // What the socket has probably carried leaves room for what the page is still to say.
  goodbyeRoom = wasOpen ? goodbyeBytes / 2 : goodbyeBytes;
  sendGoodbye(wasOpen);
  if (wasOpen) goodbyeRoom += goodbyeBytes / 2;
}

/**
 * Sends what has no answer and was not sent since the page began to leave.
 * @param {boolean} [isCarried] - whether the socket has taken all of it: nothing is lost then that is too long
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
  // Without a socket the last answers to the host may not have reached it either. It takes each once.
  if (!isCarried && goodbyeParts === firstGoodbyePart) {
    for (let index = 0; index < answers.length; index++) add(answers[index]);
  }
  mapForEach(unanswered, (/** @type {any} */ call, /** @type {any} */ id) => {
    if (call.goodbye === goodbyes || call.answer) return;
    call.goodbye = goodbyes;
    add(call.text);
    if (!call.isRequest) mapDelete(unanswered, id);
  });
  const complain = (/** @type {unknown} */ reason) =>
    warn("Footbridge: the page leaves, and these messages do not reach the host:", lost, reason);
  if (lost.length) complain(`A page can send ${goodbyeBytes} bytes as it leaves.`);
  if (!body && !lost.length) return;
  // The page's console goes with it: the host's log tells of what is lost, too.
  const address =
    `${ownFolder}goodbye?${identity}&part=${goodbyeParts++}&first=${firstGoodbyePart}&lost=${lost.length}`;
  const sending = startFetch(address, /** @type {any} */ ({
    __proto__: null, method: "POST", body, keepalive: true, credentials: "include",
  }));
  then(sending, undefined, (/** @type {unknown} */ error) => {
    lost[lost.length] = body;
    complain(error);
  });
}

/** The page is back from the back/forward cache. Its socket belongs to the visit that has ended. */
function comeBack() {
  if (!isLeaving) return;
  isLeaving = false;
  if (socket) closeSocket(socket);
}
