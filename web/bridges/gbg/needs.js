// Requests of GBGBridge and messages of declared bridges that wait for an answer by hand, for the cards of the dashboard.

import { button, h } from "../../dashboard/elements.js";

/** @typedef {import("../../dashboard/needs.js").Need} Need */

/**
 * @param {import("../../dashboard/api.js").API} api
 * @param {string} path - of the session in the API
 * @param {(pane: string) => void} openPane
 * @returns {Promise<Need[]>}
 */
export async function waitingRequests(api, path, openPane) {
  const { pages } = await api.get(`${path}/pages`);
  const found = await Promise.all(pages.map(async (/** @type {any} */ { id: page }) => {
    const base = `${path}/pages/${encodeURIComponent(page)}/requests`;
    // The page may have ended in the meantime.
    const { requests } = await api.get(base).catch(() => ({ requests: [] }));
    return requests.map((/** @type {any} */ { action, correlationId, data }) => {
      const answer = (/** @type {string} */ status) => () => api.post(`${base}/${encodeURIComponent(correlationId)}/respond`, { status });
      return {
        key: `request ${page} ${correlationId}`, pane: "gbg", title: `${action} waits`, content: [
          h("p", {}, `on ${page}`, data && Object.keys(data).length > 0 && `: ${JSON.stringify(data).slice(0, 120)}`),
          h("div", { class: "actions" }, button("Success", answer("success"), { class: "main" }), button("Cancel", answer("cancelled")), button("Answer…", () => openPane("gbg"))),
        ],
      };
    });
  }));
  return found.flat();
}
