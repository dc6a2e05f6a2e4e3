// A feed as one would write it for the Today WebView. It knows nothing of what plays the host.

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

const untrusted = "Native gives this page nothing: it does not trust its address. Tokens go to https origins only. Start with "
  + "--site-origin https://today.example, and the page counts as one of that origin.";

showSteps([
  {
    title: "Headers for the feed",
    text: "A page asks native for the headers of its requests. What a page without trust gets has no authorization in it.",
    button: "Ask for headers",
    run: async (note) => {
      const headers = await post({ type: "headers" }, note);
      if (!headers || !Object.keys(headers).length) return untrusted;
      return `Native gave ${Object.keys(headers).join(", ")}.`;
    },
  },
  {
    title: "A fresh token",
    text: "After a 401 the page asks for a new one. Pages that ask at once share one refresh.",
    button: "Refresh twice",
    run: async (note) => {
      const [first, second] = await Promise.all([post({ type: "refreshToken" }, note), post({ type: "refreshToken" }, note)]);
      if (!first) return untrusted;
      return first.authorization === second.authorization ? "Both got the same new token." : "They got two tokens.";
    },
  },
  {
    title: "A session cookie",
    text: "Native puts it into its own jar. No script sees it; the proxy adds it to requests.",
    button: "Establish the session",
    run: async (note) => {
      const answer = await post({ type: "establishSession" }, note);
      if (!answer) return untrusted;
      return answer.ok ? `It is there, and document.cookie has ${document.cookie.includes("embed_bearer") ? "it" : "nothing of it"}.`
        : "There is none: nobody is signed in, or the page is not trusted.";
    },
  },
  {
    title: "An event",
    text: "Fire and forget: native adds what it knows, and says nothing.",
    button: "Track “opened”",
    run: async (note) => {
      await post({ type: "track", ename: "opened", parameters: { position: 1, list: ["dropped"] } }, note);
      return "It is in the journal of the session.";
    },
  },
]);
