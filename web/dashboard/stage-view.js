// The stage of a demo: the site in the frame of a phone beside the log. The frame has the size of the device, and is drawn smaller if it does
// not fit. For the session, the frame is its main frame: see `stage` of `POST /sessions/{session}/enter`.

import { button, h, run } from "./elements.js";
import { Reading } from "./order.js";
import { PHONES } from "./phones.js";

/** @typedef {import("./api.js").API} API */
/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {{width: number, height: number}} Size */

/** How long to collect changes before the device is read, in milliseconds. */
const PAUSE = 50;
/** What the frame draws around the screen, on both sides, in pixels. */
const BEZEL = 20;
/** What the site may do as in a window of its own. It does not lead the dashboard's tab elsewhere. */
const SANDBOX = "allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts";
const FEATURES = "autoplay *; camera *; clipboard-read *; clipboard-write *; fullscreen *; geolocation *; microphone *; web-share *";

/**
 * The same address under the host name of the dashboard, where the browser counts both as one site; null if the site is elsewhere, or the
 * browser does not tell the site which page is around it. A page of another site gets no cookies in a frame.
 * @param {string} address - an address of the site
 */
export function framedAddress(address) {
  const url = new URL(address);
  if (url.protocol !== "http:" || !["127.0.0.1", "localhost"].includes(url.hostname) || !("ancestorOrigins" in location)) return null;
  url.hostname = location.hostname;
  return url.href;
}

/** Events: `open` and `close`. */
export class StageView extends HTMLElement {
  #api;
  #path;
  /** @type {Size} */
  #size = /** @type {import("./phones.js").Phone} */ (PHONES[0]);
  #frame = h("iframe", { title: "The site", sandbox: SANDBOX, allow: FEATURES });
  #phone = h("div", { class: "phone" }, this.#frame);
  #room = h("div", { class: "room" }, this.#phone);
  #label = h("span", { class: "quiet" });
  #reading = new Reading(() => run(() => this.#read()), PAUSE);
  #resizing = new ResizeObserver(() => this.#fit());

  /**
   * @param {API} api
   * @param {string} session
   * @param {Feed} feed
   */
  constructor(api, session, feed) {
    super();
    this.#api = api;
    this.#path = `/sessions/${encodeURIComponent(session)}`;
    this.hidden = true;
    feed.addEventListener("change", (event) => {
      const { added } = /** @type {CustomEvent<import("./feed.js").FeedChange>} */ (event).detail;
      if (!this.hidden && added.some(({ kind, action }) => kind === "store" && action === "device")) this.#reading.refresh();
    });
  }

  connectedCallback() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "The site in a phone");
    this.replaceChildren(
      h("div", { class: "head" }, h("h2", {}, "Site"), this.#label,
        button("×", () => this.close(), { class: "quiet", "aria-label": "Close the phone" })),
      this.#room);
    this.#resizing.observe(this.#room);
  }

  disconnectedCallback() {
    this.#resizing.disconnect();
    this.#reading.stop();
  }

  /** Whether it shows the site. */
  get isOpen() { return !this.hidden; }

  /** Puts this browser into the session, and shows the site. */
  async open() {
    const { url } = await this.#api.post(`${this.#path}/enter`, { stage: true });
    const address = framedAddress(url);
    if (!address) throw new Error(`${new URL(url).origin} cannot be shown in the dashboard. Open a window.`);
    this.hidden = false;
    this.dispatchEvent(new Event("open"));
    await this.#read();
    this.#frame.src = address;
  }

  close() {
    this.hidden = true;
    // The page ends with its frame.
    const next = /** @type {HTMLIFrameElement} */ (this.#frame.cloneNode());
    next.removeAttribute("src");
    this.#frame.replaceWith(next);
    this.#frame = next;
    this.dispatchEvent(new Event("close"));
  }

  async #read() {
    const { size, orientation } = await this.#api.get(`${this.#path}/device`);
    const { width, height } = size ?? this.#size;
    const isTurned = orientation === "landscape" ? width < height : orientation === "portrait" && width > height;
    this.#size = isTurned ? { width: height, height: width } : { width, height };
    this.#fit();
  }

  /** Gives the phone its size, as far as there is room. */
  #fit() {
    const { width, height } = this.#size;
    const { clientWidth, clientHeight } = this.#room;
    if (this.hidden || clientWidth === 0) return;
    const scale = Math.min(1, clientWidth / (width + BEZEL), clientHeight / (height + BEZEL));
    this.#label.textContent = `${width} × ${height}${scale < 1 ? `, ${Math.round(100 * scale)} %` : ""}`;
    const { style } = this.#phone;
    style.width = `${width + BEZEL}px`;
    style.height = `${height + BEZEL}px`;
    style.transform = `scale(${scale})`;
    style.left = `${Math.max(0, (clientWidth - (width + BEZEL) * scale) / 2)}px`;
  }
}
customElements.define("stage-view", StageView);
