// Today's token and cookies: their properties, never their values.

import { button, form, h, labelled, select } from "../../dashboard/elements.js";
import { dateAndTime } from "../../dashboard/entry-text.js";
import { Pane } from "../../dashboard/panes/pane.js";
import { actions, box, empty, ifThere, part, row, rows, tag } from "../../dashboard/panes/parts.js";

/** The ways in which a refresh can fail. */
const FAILURES = /** @type {[string, string][]} */ ([
  ["unreachable", "the server is unreachable"], ["invalidResponse", "the answer is invalid"], ["invalidGrant", "the grant is refused"],
]);

export class TodayPane extends Pane {
  static title = "Today";
  static kinds = ["request", "response", "store", "control", "page"];

  #failing = form({ class: "line" }, ({ error }) => this.#act("fail-next", { error }),
    labelled("Let the next refresh fail because", select({ name: "error", "data-key": "failure" }, FAILURES)), h("button", { "data-key": "fail next" }, "Fail next"));

  async load() {
    return ifThere(async () => {
      const [tokens, { cookies }] = await Promise.all([this.api.get(`${this.path}/tokens`), this.api.get(`${this.path}/cookies`)]);
      return () => h("div", { class: "parts" }, part("Token", this.#token(tokens), this.#failing), part("Cookies in the jar", cookieRows(cookies)));
    });
  }

  /** @param {any} tokens */
  #token({ signedIn, hasToken, expiresAt, refreshes, revoked, failsNext }) {
    const facts = [
      ["token", hasToken ? "there is one" : "none"], ["expires", expiresAt ? `${dateAndTime(Date.parse(expiresAt))} UTC` : "–"],
      ["refreshes", String(refreshes)], ["state", [revoked && "revoked", failsNext && "the next refresh fails"].filter(Boolean).join(", ") || "as usual"],
    ];
    return h("div", { class: "padded" },
      h("p", {}, box("signed in to Today", {
        checked: signedIn, "data-key": "signed in",
        onchange: (/** @type {Event} */ event) => this.#sign(/** @type {HTMLInputElement} */ (event.target).checked),
      })),
      h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      actions(
        button("Expire", () => this.#act("expire"), { "data-key": "expire", "aria-label": "Expire the token" }),
        button("Revoke", () => this.#act("revoke"), { "data-key": "revoke", "aria-label": "Revoke the token" })));
  }

  /** @param {boolean} signedIn */
  #sign(signedIn) { return this.change(() => this.api.patch(this.path, { today: { signedIn } })); }

  /**
   * @param {string} verb
   * @param {object} [body]
   */
  async #act(verb, body) {
    await this.api.post(`${this.path}/tokens/${verb}`, body);
    this.refresh();
  }
}
customElements.define("today-pane", TodayPane);

/** @param {any[]} cookies */
function cookieRows(cookies) {
  if (cookies.length === 0) return empty("The jar is empty.");
  return rows(cookies.map((cookie) => row(
    h("strong", {}, cookie.name), h("span", { class: "grow" }, `${cookie.hostOnly ? "" : "."}${cookie.domain}${cookie.path}`),
    cookie.secure && tag("Secure"), cookie.httpOnly && tag("HttpOnly"), tag(`SameSite ${cookie.sameSite}`),
    h("span", { class: "quiet" }, cookie.expires ? `expires ${dateAndTime(Date.parse(cookie.expires))}` : "of the browser session"))));
}
