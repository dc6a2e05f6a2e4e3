// A feed, written as for the Today WebView. It does not know that the host is simulated.

import { showSteps } from "./steps.js";

/**
 * @param {object} message
 * @param {(direction: "page" | "native", value: unknown) => void} note
 * @returns {Promise<any>}
 */
async function post(message, note) {
  note("page", message);
  try {
    const { todayWebViewBridge } = /** @type {any} */ (window.webkit.messageHandlers);
    const value = await todayWebViewBridge.postMessage(message);
    note("native", value);
    return value;
  } catch (error) {
    note("native", `rejected: ${error instanceof Error ? error.message : error}`);
    throw error;
  }
}

const untrusted = "The host gives this page nothing, because it does not trust its address: only https origins get tokens. Start with "
  + "make run, or with --site-origin https://today.example, and the host treats the page as one of that origin.";

showSteps([
  {
    title: "Headers for the feed",
    text: "The page asks the host for the headers of its requests. A page without trust gets no authorization header.",
    button: "Ask for headers",
    run: async (note) => {
      const headers = await post({ type: "headers" }, note);
      if (!headers || !Object.keys(headers).length) return untrusted;
      return `The host returned ${Object.keys(headers).join(", ")}.`;
    },
  },
  {
    title: "A fresh token",
    text: "After a 401 the page asks for a new token. Calls at the same time share one refresh.",
    button: "Refresh twice",
    run: async (note) => {
      const [first, second] = await Promise.all([post({ type: "refreshToken" }, note), post({ type: "refreshToken" }, note)]);
      if (!first) return untrusted;
      return first.authorization === second.authorization ? "Both got the same new token." : "They got two tokens.";
    },
  },
  {
    title: "A session cookie",
    text: "The host puts the cookie into its own jar. No script sees it; the proxy adds it to requests.",
    button: "Establish the session",
    run: async (note) => {
      const answer = await post({ type: "establishSession" }, note);
      if (!answer) return untrusted;
      return answer.ok ? `The cookie is set, and document.cookie has ${document.cookie.includes("embed_bearer") ? "it" : "nothing of it"}.`
        : "There is no cookie: nobody is signed in, or the host does not trust the page.";
    },
  },
  {
    title: "An event",
    text: "Fire and forget: the host adds its own data, and does not answer.",
    button: "Track “opened”",
    run: async (note) => {
      await post({ type: "track", ename: "opened", parameters: { position: 1, isFirst: true } }, note);
      return "The event is in the journal of the session.";
    },
  },
]);
