// The page for a link to a session that is not there.

import { brand, h } from "./elements.js";

export class MissingView extends HTMLElement {
  #session;

  /** @param {string} session */
  constructor(session) {
    super();
    this.#session = session;
  }

  connectedCallback() {
    this.replaceChildren(
      h("header", { class: "bar" }, brand()),
      h("main", { class: "entrance" },
        h("h1", {}, "This session is not here"),
        h("p", {}, "This server has no session ", h("code", {}, this.#session), ". It was deleted, it has ended, or the link is of another server."),
        h("p", {}, "The server stores the journals of the last 50 failed tests for an hour. A failed test has also written a transcript: run ",
          h("code", {}, "footbridge show FILE"), ", or drop the file here."),
        h("p", {}, h("a", { href: "#/" }, "All sessions"))));
  }
}
customElements.define("missing-view", MissingView);
