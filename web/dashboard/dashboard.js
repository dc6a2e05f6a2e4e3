// The dashboard. Its address decides what it shows: the start page, a session, or a transcript.

import { readAddress, START, TRANSCRIPT, writeAddress } from "./address.js";
import { readBridges } from "./bridge-list.js";
import { run, say } from "./elements.js";
import { counted } from "./entry-text.js";
import { Feed } from "./feed.js";
import { MissingView } from "./missing.js";
import { SessionView } from "./session-view.js";
import { SessionList } from "./sessions.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./api.js").API} API */

export class Dashboard extends HTMLElement {
  #api;
  /** @type {Place} */
  #place = START;
  /** @type {SessionView | SessionList | MissingView | null} */
  #view = null;
  /**
   * The transcript that was opened.
   * @type {Feed | null}
   */
  #transcript = null;
  #given;
  #listening = new AbortController();

  /**
   * @param {API | null} api - null for transcripts only
   * @param {{name: string, text: string} | null} given - a transcript to show first
   */
  constructor(api, given = null) {
    super();
    this.#api = api;
    this.#given = given;
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
  async openTranscript(file) { await this.#open(await file.text(), file.name); }

  async #begin() {
    const { place } = readAddress(location.hash);
    if (this.#given) return this.#open(this.#given.text, this.#given.name, place);
    const given = (!place.session || place.session === TRANSCRIPT) && (await this.#api?.here())?.transcript ? await this.#api?.transcript() : "";
    if (given) return this.#open(given, "the transcript", place);
    this.#show(place);
  }

  /**
   * @param {string} text
   * @param {string} name
   * @param {Place} place - what of it to show, if that is of a transcript
   */
  async #open(text, name, place = START) {
    const feed = new Feed();
    const reading = feed.readTranscript(text);
    await Promise.race([reading, new Promise((resolve) => feed.addEventListener("change", resolve, { once: true }))]);
    if (feed.entries.length === 0) return say(`${name} has no entries of a journal. A transcript is what a failed test, an export or GET …/journal has written.`, "bad");
    this.#transcript = feed;
    this.#view?.remove();
    this.#view = null;
    this.open({ ...(place.session === TRANSCRIPT ? place : START), session: TRANSCRIPT });
    say(`${name}: ${counted(await reading, "entry", "entries")}.`);
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
    else document.title = "Footbridge";
  }

  /** Shows the session on the restarted server. Its journal begins again, so no row is what it was. */
  #beginAgain() {
    this.#view?.remove();
    this.#view = null;
    this.open({ row: null });
    // It answers again.
    for (const line of document.querySelectorAll(".said .bad")) line.remove();
    say("The server was restarted. Its journals begin again.");
  }

  /**
   * Shows the journal of a session that ended after a failed test, or says that there is none.
   * @param {string} session
   */
  async #showEnded(session) {
    const found = await this.#api?.get(`/transcripts/${encodeURIComponent(session)}`).catch(() => null);
    if (this.#place.session !== session) return;
    const feed = new Feed();
    if (found) run(() => feed.readTranscript(JSON.stringify(found)));
    this.#view?.remove();
    this.#view = found ? new SessionView(null, found.name ?? session, feed, (place) => this.open(place), async () => []) : new MissingView(session);
    this.replaceChildren(this.#view);
    this.#show(this.#place);
  }

  /** @param {string | null} session */
  #makeView(session) {
    const open = (/** @type {Partial<Place>} */ place) => this.open(place);
    const api = this.#api;
    const bridges = async (path = "") => api ? readBridges(api, path) : [];
    if (session === TRANSCRIPT && this.#transcript) return new SessionView(null, session, this.#transcript, open, bridges);
    if (session && session !== TRANSCRIPT && api) {
      const feed = new Feed();
      feed.addEventListener("state", () => {
        if (feed.state === "ended" && feed.entries.length === 0) run(() => this.#showEnded(session));
        if (feed.state === "restarted") this.#beginAgain();
      });
      feed.follow(api, session);
      return new SessionView(api, session, feed, open, () => bridges(`/sessions/${encodeURIComponent(session)}`));
    }
    return new SessionList(api, (file) => this.openTranscript(file));
  }
}
customElements.define("footbridge-dashboard", Dashboard);
