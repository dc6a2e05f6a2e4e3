// Rules, which decide the outcome of calls.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * The matching calls that a rule applies to.
 * @typedef {"once" | "always" | number[] | {nth?: number, first?: number, from?: number, probability?: number}} Times
 */
/**
 * The members of a rule in the control API.
 * @typedef {{id: string, on: string, where?: object, times: Times, then: object, matches: number, decisions: number,
 *   scenario?: string}} RuleMembers
 */
/**
 * The calls that a rule applies to: their data has the members of `where`.
 * @typedef {{where?: object, times?: Times}} Which
 */

/** Calls whose outcome a test decides. Each method adds a rule. */
export class When {
  #session;
  #rule;
  #gateName;

  /**
   * @param {CoreSession} session
   * @param {{on: string, where: object, times: Times}} rule
   * @param {() => string} gateName
   */
  constructor(session, rule, gateName) {
    this.#session = session;
    this.#rule = rule;
    this.#gateName = gateName;
  }

  /**
   * Answers the call with `result`; nothing else happens.
   * @param {unknown} [result]
   */
  async returns(result = null) {
    return this.does({ result });
  }

  /**
   * Makes the call fail.
   * @param {string | number | {code: string, message: string, recoverable?: boolean} | {status: number, retryAfter?: number}} error - its
   *   name or its members; for a backend, a status
   */
  async fails(error) {
    return this.does({ error });
  }

  /**
   * Delays the call by this time, on the session's clock. With `upTo`, each call by another time between the two, by the seed.
   * @param {number} milliseconds
   * @param {number} [upTo]
   */
  async delay(milliseconds, upTo) {
    return this.does({ delay: upTo === undefined ? milliseconds : { from: milliseconds, to: upTo } });
  }

  /**
   * Holds the call until the test releases the gate.
   * @param {string} [name]
   */
  async gate(name = this.#gateName()) {
    return new Gate(this.#session, await this.does({ gate: name }), name);
  }

  /**
   * Holds the call until the test releases the gate of this name.
   * @param {string} gate
   */
  async hold(gate) {
    return this.gate(gate);
  }

  /** Cuts the page's socket when it calls. */
  async cutSocket() {
    return this.does({ cutSocket: true });
  }

  /** Keeps the callback, or a native answer, from the page. */
  async drop() {
    return this.does({ drop: true });
  }

  /** Sends the callback, or a native answer, twice. */
  async double() {
    return this.does({ double: true });
  }

  /** Sends the callback after the next one of the same name. */
  async reorder() {
    return this.does({ reorder: true });
  }

  /** Sends a native answer with a correlation id that no request has. */
  async unknownId() {
    return this.does({ unknownId: true });
  }

  /**
   * Gives the page this value, such as `"{"`, in place of a native answer.
   * @param {unknown} value
   */
  async raw(value) {
    return this.does({ raw: value });
  }

  /** Kills the app and launches it again. The call or payment does not happen. The app's pages end: load them again. */
  async kill() {
    return this.does({ kill: true });
  }

  /**
   * Does several of these at once, by their names in the control API.
   * @param {{result?: unknown, error?: unknown, delay?: number | {from?: number, to: number}, gate?: string, cutSocket?: boolean,
   *   drop?: boolean, double?: boolean, reorder?: boolean, unknownId?: boolean, raw?: unknown, kill?: boolean}} outcome
   */
  async does(outcome) {
    const { id } = await this.#session.request("POST", "/rules", { ...this.#rule, then: outcome });
    return new Rule(this.#session, id);
  }
}

/** A rule of a session. */
export class Rule {
  #session;

  /**
   * @param {CoreSession} session
   * @param {string} id
   */
  constructor(session, id) {
    this.#session = session;
    this.id = id;
  }

  /** Removes the rule. */
  async remove() {
    await this.#session.request("DELETE", `/rules/${encodeURIComponent(this.id)}`);
  }
}

/** A gate that holds calls. */
export class Gate {
  #session;

  /**
   * @param {CoreSession} session
   * @param {Rule} rule
   * @param {string} name
   */
  constructor(session, rule, name) {
    this.#session = session;
    this.rule = rule;
    this.name = name;
  }

  /**
   * Returns the calls that wait here.
   * @returns {Promise<{id: string, name: string, action: string, heldSince: string}[]>}
   */
  async held() {
    const { gates } = await this.#session.request("GET", "/gates");
    return gates.filter((/** @type {any} */ gate) => gate.name === this.name);
  }

  /** Releases the calls that wait here; if none waits yet, the next one. */
  async release() {
    await this.#session.request("POST", `/gates/${encodeURIComponent(this.name)}/release`);
  }
}

/**
 * Formats a rule on one line.
 * @param {RuleMembers} rule
 */
export function ruleText({ on, where = {}, times, then, scenario }) {
  return [
    on, Object.keys(where).length ? ` where ${JSON.stringify(where)}` : "", times === "once" ? "" : `, times ${JSON.stringify(times)}`,
    `, then ${JSON.stringify(then)}`, scenario === undefined ? "" : ` (of the scenario ${scenario})`,
  ].join("");
}
