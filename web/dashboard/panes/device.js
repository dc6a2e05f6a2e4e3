// The device: a stage with the site in a phone beside the log, or in a window of a phone's size; the scenarios as buttons; and the phone around
// the app. A site under an origin of its own, or with https, has only the window.

import { button, h, labelled, select } from "../elements.js";
import { PHONES } from "../phones.js";
import { deviceFields } from "./device-fields.js";
import { framedAddress } from "../stage-view.js";
import { Pane } from "./pane.js";
import { empty, part } from "./parts.js";

export class DevicePane extends Pane {
  static title = "Device";
  static kinds = ["page", "control", "store"];

  #phone = /** @type {import("../phones.js").Phone} */ (PHONES[0]);
  #isTurned = false;

  /** @returns {Promise<HTMLElement>} */
  async load() {
    const [{ scenarios }, session, device, { server, sites }] = await Promise.all([
      this.api.get("/scenarios"), this.api.get(this.path), this.api.get(`${this.path}/device`), this.api.here(),
    ]);
    this.#phone = PHONES.find(({ width, height }) => width === device.size?.width && height === device.size?.height) ?? this.#phone;
    if (device.orientation) this.#isTurned = device.orientation === "landscape";
    return h("div", { class: "parts" },
      part("Stage", ...this.#stage(session.pages.length > 0, !sites && framedAddress(server) !== null)),
      part("Scenarios", this.#scenarios(scenarios, session.scenario)),
      part("Phone", ...deviceFields(this, device)));
  }

  /** The size of the window, as the phone is held. */
  get #size() {
    const { width, height } = this.#phone;
    return this.#isTurned ? { width: height, height: width } : { width, height };
  }

  /**
   * @param {boolean} isOpen - whether the session has a page
   * @param {boolean} canBeHere - whether the site can be shown beside the log
   */
  #stage(isOpen, canBeHere) {
    const { stage } = this.context;
    const { width, height } = this.#size;
    const names = PHONES.map(({ name, width, height }) => /** @type {[string, string]} */ ([name, `${name}, ${width} × ${height}`]));
    return [
      h("div", { class: "line" },
        labelled("Model", select({ "data-key": "phone", onchange: (/** @type {Event} */ event) => this.#choose(event) }, names, this.#phone.name)),
        button("Rotate", () => this.change(() => this.#resize(undefined, true)), { "data-key": "rotate", "aria-pressed": String(this.#isTurned), title: "Hold the phone the other way" }),
        canBeHere && (stage?.isOpen ? button("Close the phone", () => { stage.close(); this.refresh(); }, { "data-key": "stage" })
          : button("Show beside the log", () => this.#openStage(), { class: "main", "data-key": "stage" })),
        button(isOpen ? "Open another window" : "Open a window", () => this.#openWindow(), { class: isOpen || canBeHere ? "" : "main", "data-key": "open" }),
        isOpen && button("Reload", () => this.#tellPages("/reload"), { "data-key": "reload" })),
      h("p", { class: "padded quiet" }, `The site opens in this session, with ${width} × ${height} px. `,
        height > screen.availHeight && `A window has room for ${screen.availHeight} px here. `,
        !canBeHere && "Beside the log it cannot be shown: only at http on this machine, and in browsers that have location.ancestorOrigins."),
    ];
  }

  /**
   * @param {string[]} scenarios
   * @param {string | null} current
   */
  #scenarios(scenarios, current) {
    if (scenarios.length === 0) return empty("footbridge.yaml has no scenarios.");
    return h("div", { class: "line" }, ...scenarios.map((name) => button(name, () => this.#begin(name), {
      "data-key": `scenario ${name}`, "aria-pressed": String(name === current), title: "Begin it, and reload the site",
    })));
  }

  /** @param {string} name */
  async #begin(name) {
    await this.api.put(`${this.path}/scenario`, { name });
    await this.#tellPages("/reload");
    this.refresh();
  }

  /** @param {Event} event */
  #choose(event) {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    const phone = PHONES.find(({ name }) => name === value);
    if (phone) this.change(() => this.#resize(phone, false));
  }

  /**
   * Gives the device and the windows of the session the size of a phone. Browsers obey in windows that a script has opened.
   * @param {{width: number, height: number} | undefined} phone - undefined for the present one
   * @param {boolean} isToTurn
   */
  async #resize(phone, isToTurn) {
    // What the pane shows can be older than the change before this one.
    const device = await this.api.get(`${this.path}/device`);
    const isTurned = device.orientation ? device.orientation === "landscape" : this.#isTurned;
    const { width, height } = phone ?? device.size ?? this.#phone;
    const orientation = isTurned === isToTurn ? "portrait" : "landscape";
    await this.api.patch(`${this.path}/device`, { size: { width, height }, orientation });
    const data = orientation === "landscape" ? { width: height, height: width } : { width, height };
    await this.#tellPages("/events", { action: "footbridge.resize", data });
  }

  /** The phone beside the log has the size that the site finds. */
  async #openStage() {
    await this.#resize(this.#phone, false);
    await this.context.stage?.open();
    this.refresh();
  }

  async #openWindow() {
    const { url } = await this.api.post(`${this.path}/enter`);
    const { width, height } = this.#size;
    const left = Math.max(0, Math.min(screenX + outerWidth, screen.availWidth - width));
    // The site gets no reference to this window.
    window.open(url, "_blank", `popup,noopener,width=${width},height=${height},left=${left},top=${Math.max(0, screenY)}`);
  }

  /**
   * @param {string} path
   * @param {unknown} [body]
   */
  async #tellPages(path, body) {
    const { pages } = await this.api.get(`${this.path}/pages`);
    // A page that has gone in the meantime is no error.
    await Promise.all(pages.map((/** @type {{id: string}} */ { id }) => this.api.post(`${this.path}/pages/${encodeURIComponent(id)}${path}`, body)
      .catch((error) => { if (error.status !== 404) throw error; })));
  }
}
customElements.define("device-pane", DevicePane);
