// A session's device: the phone around the app.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * What the device is, as in the control API.
 * @typedef {object} DeviceMembers
 * @property {"active" | "inactive" | "background" | "suspended"} state
 * @property {{link?: string, push?: object, shortcut?: string} | null} opening
 * @property {"portrait" | "landscape" | null} orientation
 * @property {{width: number, height: number} | null} size
 * @property {{top?: number, right?: number, bottom?: number, left?: number} | null} safeArea
 * @property {"light" | "dark" | null} colorScheme
 * @property {number | null} textSize
 * @property {string[] | null} languages
 * @property {number | null} keyboardHeight
 * @property {{offline?: boolean, latency?: number, bytesPerSecond?: number | null} | null} network
 */
/**
 * What can be changed of it.
 * @typedef {Partial<Omit<DeviceMembers, "opening">>} DeviceChange
 */

/** The phone around one app. Pages notice it once a test has said something about it: before they load, so that they notice everything. */
export class Device {
  #session;
  #contexts;

  /**
   * @param {CoreSession} session
   * @param {Set<any>} contexts - the browser contexts in the session
   */
  constructor(session, contexts) {
    this.#session = session;
    this.#contexts = contexts;
  }

  /**
   * Returns what the device is now, as in the control API.
   * @returns {Promise<DeviceMembers>}
   */
  async members() {
    return this.#session.request("GET", "/device");
  }

  /**
   * Changes the device: `set({ colorScheme: "dark", safeArea: { top: 59 } })`. The members are those of `PATCH …/device`; null gives a value
   * back. Members that are left out do not change; without any, pages notice the device from now on. The open pages of the session also get
   * its size and its color scheme from Playwright.
   * @param {DeviceChange} [members]
   */
  async set(members = {}) {
    /** @type {DeviceMembers} */
    const { size, orientation, colorScheme } = await this.#session.request("PATCH", "/device", members);
    for (const page of [...this.#contexts].flatMap((context) => context.pages?.() ?? [])) {
      if (size && ("size" in members || "orientation" in members)) {
        const { width, height } = size;
        await page.setViewportSize(orientation === "landscape" ? { width: height, height: width } : { width, height });
      }
      if ("colorScheme" in members) await page.emulateMedia({ colorScheme });
    }
  }

  /**
   * Puts the app into the background: its page is hidden, and stops. With `suspended: false` it goes on running, as in the first seconds on a
   * device.
   * @param {{suspended?: boolean}} [options]
   */
  async background(options) {
    await this.set({ state: options?.suspended === false ? "background" : "suspended" });
  }

  /** Brings the app back: its page is visible, learns of its lost connections, and runs what was due meanwhile. */
  async foreground() {
    await this.set({ state: "active" });
  }

  /** Has the system end the processes of the pages. The app loads them again; they hear nothing of it. */
  async memoryWarning() {
    await this.#session.request("POST", "/device/memory-warning");
  }

  /**
   * Opens the app by a link, a push notification or a shortcut, and returns the address that a launched app loads. The latest page goes there by
   * itself; without an open page, open the address. `cold: false` is about an app that runs already.
   * @param {{link?: string, push?: object, shortcut?: string, cold?: boolean}} opening
   * @returns {Promise<string>}
   */
  async open(opening) {
    return (await this.#session.request("POST", "/device/open", opening)).url;
  }
}
