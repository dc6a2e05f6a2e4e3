// Starts the dashboard: exchanges the one-time code of the address for a bearer token, which stays in this tab.

import { readAddress, writeAddress } from "./address.js";
import { API, exchange } from "./api.js";
import { Dashboard } from "./dashboard.js";
import { button, form, h, labelled, run } from "./elements.js";

const BEARER = "footbridge.bearer";

const main = h("div", { class: "app" });
document.body.append(main, h("div", { class: "said", role: "status", "aria-live": "polite" }));
const given = document.getElementById("transcript")?.textContent;
if (given) {
  // This file has its transcript in itself, and no server.
  main.replaceChildren(new Dashboard(null, JSON.parse(given)));
} else {
  addEventListener("hashchange", () => { if (readAddress(location.hash).code) run(start); });
  run(start);
}

async function start() {
  const { place, code } = readAddress(location.hash);
  if (code) {
    // Keeps the code out of the history.
    history.replaceState(null, "", writeAddress(place));
    try {
      sessionStorage.setItem(BEARER, await exchange(code));
    } catch (error) {
      if (!sessionStorage.getItem(BEARER)) return showEntrance(error instanceof Error ? error.message : String(error));
    }
  }
  const bearer = sessionStorage.getItem(BEARER);
  if (!bearer) return showEntrance();
  const api = new API(bearer, () => {
    if (sessionStorage.getItem(BEARER) !== bearer) return;
    sessionStorage.removeItem(BEARER);
    showEntrance("", true);
  });
  main.replaceChildren(new Dashboard(api));
}

/**
 * Asks for a code. A transcript can be opened without one.
 * @param {string} problem - why the code of the address does not work
 * @param {boolean} isOver - whether the tab could use the dashboard before
 */
function showEntrance(problem = "", isOver = false) {
  main.replaceChildren(h("main", { class: "entrance" },
    h("h1", {}, problem ? "This address does not work" : isOver ? "The server was restarted" : "Footbridge"),
    problem && h("p", { class: "bad", role: "alert" }, problem),
    h("p", {}, isOver ? "It does not know this tab any more: it stores nothing (--ephemeral), its state was deleted, or the tab is older than a week. "
      : "This tab may not use the dashboard yet. ", "In a terminal, run ", h("code", {}, "footbridge dashboard"),
    " and open the address that it prints, or paste it here."),
    form({ class: "line" }, async ({ address = "" }) => {
      const given = address.trim();
      const code = given.includes("#") ? readAddress(given.slice(given.indexOf("#"))).code : given;
      if (!code) throw new Error("There is no code in this address. Run footbridge dashboard again.");
      sessionStorage.setItem(BEARER, await exchange(code));
      await start();
    }, labelled("Address or code", h("input", { name: "address", required: true, autocomplete: "off", spellcheck: "false" })), h("button", {}, "Open")),
    h("p", { class: "quiet" }, "To look at a transcript, no server is needed: "),
    button("Open a transcript", () => { main.replaceChildren(new Dashboard(null)); })));
}
