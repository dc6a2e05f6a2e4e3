// A session's device: the phone around the app.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * What the device is, as in the control API.
 * @typedef {{state: "active" | "inactive" | "background" | "suspended"}} DeviceMembers
 */

/** The phone around one app. Pages notice it once a test has said something about it: before they load, so that they notice everything. */
export class Device {
  #session;

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Returns what the device is now, as in the control API.
   * @returns {Promise<DeviceMembers>}
   */
  async members() {
    return this.#session.request("GET", "/device");
  }

  /**
   * Changes the device: `set({ state: "inactive" })`. Members that are left out do not change; without any, pages notice it from now on.
   * @param {Partial<DeviceMembers>} [members]
   */
  async set(members = {}) {
    await this.#session.request("PATCH", "/device", members);
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
}
