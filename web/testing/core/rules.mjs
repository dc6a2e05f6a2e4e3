// Rules: what becomes of calls on purpose.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * Which of the calls that match a rule are meant.
 * @typedef {"once" | "always" | {nth: number}} Times
 */
/**
 * What the control API tells of a rule.
 * @typedef {{id: string, on: string, where?: object, times: Times, then: object, matches: number, scenario?: string}} RuleMembers
 */
/**
 * Which calls are meant.
 * @typedef {{where?: object, times?: Times}} Which
 */

/** Calls of which a test decides what becomes. Each function makes a rule of it. */
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
   * The call is answered with `result`; nothing else happens.
   * @param {unknown} [result]
   */
  async returns(result = null) {
    return this.does({ result });
  }

  /**
   * The call fails.
   * @param {string | {code: string, message: string, recoverable?: boolean}} error - its name, or its members
   */
  async fails(error) {
    return this.does({ error });
  }

  /**
   * The call takes so long, by the session's clock.
   * @param {number} milliseconds
   */
  async delay(milliseconds) {
    return this.does({ delay: milliseconds });
  }

  /**
   * The call waits until the test releases the gate.
   * @param {string} [name]
   */
  async gate(name = this.#gateName()) {
    return new Gate(this.#session, await this.does({ gate: name }), name);
  }

  /** The page loses its socket when it calls. */
  async cutSocket() {
    return this.does({ cutSocket: true });
  }

  /**
   * Several of these at once, by their names in the control API.
   * @param {{result?: unknown, error?: unknown, delay?: number, gate?: string, cutSocket?: boolean}} outcome
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

  /** Takes the rule away. */
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
   * The calls that wait here.
   * @returns {Promise<{id: string, name: string, action: string, heldSince: string}[]>}
   */
  async held() {
    const { gates } = await this.#session.request("GET", "/gates");
    return gates.filter((/** @type {any} */ gate) => gate.name === this.name);
  }

  /** Lets what waits here go on; when nothing does yet, the next one. */
  async release() {
    await this.#session.request("POST", `/gates/${encodeURIComponent(this.name)}/release`);
  }
}

/**
 * A rule on one line.
 * @param {RuleMembers} rule
 */
export function ruleText({ on, where = {}, times, then, scenario }) {
  return [
    on, Object.keys(where).length ? ` where ${JSON.stringify(where)}` : "", times === "once" ? "" : `, times ${JSON.stringify(times)}`,
    `, then ${JSON.stringify(then)}`, scenario === undefined ? "" : ` (of the scenario ${scenario})`,
  ].join("");
}
