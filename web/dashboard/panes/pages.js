// The pages of the session.

import { button, h } from "../elements.js";
import { Pane } from "./pane.js";

export class PagesPane extends Pane {
  static title = "Pages";
  static kinds = ["page", "control"];

  async load() {
    const { pages } = await this.api.get(`${this.path}/pages`);
    if (pages.length === 0) return h("p", { class: "empty" }, "No page is open. Load the site in the browser of this session.");
    return h("ul", { class: "rows" }, ...pages.map((/** @type {any} */ page) => {
      const path = `${this.path}/pages/${encodeURIComponent(page.id)}`;
      return h("li", { class: "row" },
        h("code", {}, page.id), h("span", { class: "grow" }, page.title && h("bdi", {}, page.title), page.title && " · ", page.url ?? "a document that the server has not served"),
        h("span", { class: "tag" }, page.listening ? "listening" : "not listening"),
        h("span", { class: "actions" },
          button("Its log", () => this.open({ filter: `page:${page.id}` }), { "data-key": `${page.id} log` }),
          button("Reload", () => this.api.post(`${path}/reload`), { "data-key": `${page.id} reload` }),
          button("Cut socket", () => this.api.post(`${path}/disconnect`), { "data-key": `${page.id} cut` })));
    }));
  }
}
customElements.define("pages-pane", PagesPane);
