// The dashboard. Its address decides what it shows: the start page, a session, or a transcript.

import { readAddress, START, TRANSCRIPT, writeAddress } from "./address.js";
import { readBridges } from "./bridge-list.js";
import { run, say } from "./elements.js";
import { counted } from "./entry-text.js";
import { Feed } from "./feed.js";
import { SessionView } from "./session-view.js";
import { SessionList } from "./sessions.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./api.js").API} API */

export class Dashboard extends HTMLElement {
  #api;
  /** @type {Place} */
  #place = START;
  /** @type {SessionView | SessionList | null} */
  #view = null;
  /**
   * The transcript that was opened.
   * @type {Feed | null}
   */
  #transcript = null;
  #listening = new AbortController();

  /** @param {API | null} api - null for transcripts only */
  constructor(api) {
    super();
    this.#api = api;
  }

  connectedCallback() {
    const { signal } = this.#listening;
    addEventListener("hashchange", () => this.#show(readAddress(location.hash).place), { signal });
    addEventListener("dragover", (event) => event.preventDefault(), { signal });
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) run(() => this.openTranscript(file));
    }, { signal });
    run(() => this.#begin());
  }

  disconnectedCallback() { this.#listening.abort(); }

  /**
   * Goes to another place. Missing members keep their values.
   * @param {Partial<Place>} change
   */
  open(change) {
    const place = { ...this.#place, ...change };
    const address = writeAddress(place);
    // Typing in the filter adds nothing to the history.
    const isStep = place.session !== this.#place.session || place.pane !== this.#place.pane;
    if (address !== writeAddress(this.#place)) history[isStep ? "pushState" : "replaceState"](null, "", address);
    this.#show(place);
  }

  /**
   * Opens a transcript: the file of a failed test, or of an export.
   * @param {File} file
   */
  async openTranscript(file) { this.#open(await file.text(), file.name); }

  async #begin() {
    const { place } = readAddress(location.hash);
    const given = (!place.session || place.session === TRANSCRIPT) && (await this.#api?.here())?.transcript ? await this.#api?.transcript() : "";
    if (given) return this.#open(given, "the transcript");
    this.#show(place);
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  #open(text, name) {
    const feed = new Feed();
    if (feed.readTranscript(text) === 0) return say(`${name} has no entries of a journal. A transcript is what a failed test, an export or GET …/journal has written.`, "bad");
    this.#transcript = feed;
    this.#view?.remove();
    this.#view = null;
    this.open({ session: TRANSCRIPT, pane: "", row: null, filter: "" });
    say(`${name}: ${counted(feed.entries.length, "entry", "entries")}.`);
  }

  /** @param {Place} place */
  #show(place) {
    const isSame = this.#view && place.session === this.#place.session;
    this.#place = place;
    if (!isSame) {
      this.#view?.remove();
      this.#view = this.#makeView(place.session);
      this.replaceChildren(this.#view);
    }
    if (this.#view instanceof SessionView) this.#view.show(place);
    document.title = place.session ? `${place.session} · Footbridge` : "Footbridge";
  }

  /** @param {string | null} session */
  #makeView(session) {
    const open = (/** @type {Partial<Place>} */ place) => this.open(place);
    const api = this.#api;
    const bridges = async (path = "") => api ? readBridges(api, path) : [];
    if (session === TRANSCRIPT && this.#transcript) return new SessionView(null, session, this.#transcript, open, bridges);
    if (session && session !== TRANSCRIPT && api) {
      const feed = new Feed();
      feed.follow(api, session);
      return new SessionView(api, session, feed, open, () => bridges(`/sessions/${encodeURIComponent(session)}`));
    }
    return new SessionList(api, (file) => this.openTranscript(file));
  }
}
customElements.define("footbridge-dashboard", Dashboard);
