// Everything that waits for a person: native sheets, calls at gates, payments that someone else must approve, messages that nothing answers.

import { NEEDS } from "../bridges/panes.js";
import { button, h, nodes } from "./elements.js";
import { noticeButton, notify } from "./notice.js";
import { OpenCalls } from "./open-calls.js";
import { Reading } from "./order.js";
import { sheetCard } from "./sheet-card.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./api.js").API} API */
/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./feed.js").FeedChange} FeedChange */

/**
 * Something that waits: its key, the pane that it belongs to, and its card.
 * @typedef {{key: string, pane: string, title: string, content: import("./elements.js").Child[]}} Need
 */

/** After entries of these kinds the lists are read again. */
const KINDS = ["sheetOpened", "sheetAnswered", "decision", "store", "control", "page"];
/** How long to collect entries before that, in milliseconds. */
const PAUSE = 100;

/** Events: `count` when the lists were read. */
export class NeedsView extends HTMLElement {
  #api;
  #path;
  #feed;
  #open;
  #reading = new Reading(() => this.#read().catch(() => {}), PAUSE);
  /**
   * The cards, by the id of the sheet, call or payment.
   * @type {Map<string, HTMLElement>}
   */
  #cards = new Map();
  /** @type {any[]} */
  #sheets = [];
  #list = h("div", { class: "cards" });
  #calls = new OpenCalls();
  #openCalls = "";
  /**
   * How much waits, by pane.
   * @type {Map<string, number>}
   */
  #counts = new Map();

  /**
   * @param {API} api
   * @param {string} session
   * @param {Feed} feed
   * @param {(place: Partial<Place>) => void} open
   */
  constructor(api, session, feed, open) {
    super();
    this.#api = api;
    this.#path = `/sessions/${encodeURIComponent(session)}`;
    this.#feed = feed;
    this.#open = open;
  }

  connectedCallback() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Needs you");
    this.replaceChildren(h("div", { class: "head" }, h("h2", {}, "Needs you"), noticeButton()), this.#list);
    // An action of a card changes what waits.
    this.#list.addEventListener("click", () => this.#reading.refresh());
    this.#calls.add(this.#feed.entries);
    this.#feed.addEventListener("change", (event) => {
      const { added } = /** @type {CustomEvent<FeedChange>} */ (event).detail;
      this.#calls.add(added);
      // Most calls have their answers at once. The others may wait for the person.
      const open = this.#calls.keys;
      if (open !== this.#openCalls || added.some(({ kind }) => KINDS.includes(kind))) this.#reading.refresh();
      this.#openCalls = open;
    });
    this.#reading.refresh(0);
  }

  /** How many things wait. */
  get count() { return this.#cards.size; }

  /**
   * How many of them belong to a pane.
   * @param {string} pane
   */
  countOf(pane) { return this.#counts.get(pane) ?? 0; }

  /**
   * Approves or declines the oldest open sheet.
   * @param {boolean} approved
   */
  async answerFirst(approved) {
    const sheet = this.#sheets[0];
    if (!sheet) return;
    const card = this.#cards.get(`sheet ${sheet.id}`);
    const chosen = card?.querySelector("form");
    if (approved && chosen) chosen.requestSubmit();
    else await this.#answer(sheet, { approved });
  }

  async #read() {
    const openPane = (/** @type {string} */ pane) => this.#open({ pane });
    const [{ sheets }, { gates }, queue, ...others] = await Promise.all([
      this.#api.get(`${this.#path}/sheets`), this.#api.get(`${this.#path}/gates`),
      // The store may be switched off on the server.
      this.#api.get(`${this.#path}/transactions`).catch(() => ({ transactions: [] })),
      ...NEEDS.map((read) => read(this.#api, this.#path, openPane)),
    ]);
    const needs = others.flat();
    this.#sheets = sheets;
    const waiting = queue.transactions.filter((/** @type {any} */ { waitingFor }) => waitingFor);
    /** @type {[string, () => HTMLElement][]} */
    const wanted = [
      ...sheets.map((/** @type {any} */ sheet) => [`sheet ${sheet.id}`, () => this.#sheet(sheet)]),
      ...gates.map((/** @type {any} */ gate) => [`gate ${gate.name} ${gate.id}`, () => this.#gate(gate)]),
      ...waiting.map((/** @type {any} */ transaction) => [`transaction ${transaction.id} ${transaction.waitingFor}`, () => this.#transaction(transaction)]),
      ...needs.map(({ key, title, content }) => /** @type {[string, () => HTMLElement]} */ ([key, () => this.#card(title, ...content)])),
    ];
    this.#counts = new Map([["store", waiting.length], ["rules", gates.length]]);
    for (const { pane } of needs) this.#counts.set(pane, this.countOf(pane) + 1);
    const isNew = wanted.find(([key]) => !this.#cards.has(key));
    // A card stays as long as its subject waits, and keeps the person's choices.
    this.#cards = new Map(wanted.map(([key, make]) => [key, this.#cards.get(key) ?? make()]));
    const cards = [...this.#cards.values()];
    for (const old of [...this.#list.children]) if (!cards.includes(/** @type {HTMLElement} */ (old))) old.remove();
    cards.forEach((card, index) => { if (this.#list.children[index] !== card) this.#list.insertBefore(card, this.#list.children[index] ?? null); });
    if (cards.length === 0) this.#list.append(h("p", { class: "empty" }, "Nothing waits."));
    this.dispatchEvent(new Event("count"));
    if (isNew) notify(document.title, this.#cards.get(isNew[0])?.getAttribute("aria-label") ?? "");
  }

  /**
   * @param {string} title
   * @param {import("./elements.js").Child[]} content
   */
  #card(title, ...content) { return h("section", { class: "card", "aria-label": title }, h("h3", {}, title), ...nodes(content)); }

  /**
   * @param {any} sheet
   * @param {unknown} answer
   */
  async #answer(sheet, answer) {
    await this.#api.post(`${this.#path}/sheets/${encodeURIComponent(sheet.id)}/answer`, answer);
    this.#reading.refresh(0);
  }

  /** @param {any} sheet */
  #sheet(sheet) {
    const { title, content } = sheetCard(sheet, (answer) => this.#answer(sheet, answer));
    return this.#card(title, ...content);
  }

  /** @param {any} gate */
  #gate(gate) {
    return this.#card(`gate ${gate.name}`, h("p", {}, `${gate.action} waits`, gate.page && ` on ${gate.page}`), h("div", { class: "actions" },
      button("Open the gate", async () => {
        await this.#api.post(`${this.#path}/gates/${encodeURIComponent(gate.name)}/release`);
        this.#reading.refresh(0);
      }, { class: "main" }),
      gate.correlationId && button("Its call", () => this.#open({ filter: `id:${gate.correlationId}` }))));
  }

  /** @param {any} transaction */
  #transaction(transaction) {
    const end = (/** @type {string} */ verb) => async () => {
      await this.#api.post(`${this.#path}/transactions/${encodeURIComponent(transaction.id)}/${verb}`);
      this.#reading.refresh(0);
    };
    const title = transaction.waitingFor === "approval" ? "ask to buy" : "interrupted purchase";
    return this.#card(title, h("p", {}, transaction.productIdentifier), h("div", { class: "actions" },
      button(transaction.waitingFor === "approval" ? "Approve" : "Complete", end("approve"), { class: "main" }), button("Decline", end("decline"))));
  }
}
customElements.define("needs-view", NeedsView);
