// The bridges that the kit knows: one file for each. The lines with `extends` register them.

import { CorePage } from "../core/pages.mjs";
import { CoreSession } from "../core/session.mjs";
import { withDeclared } from "./declared.mjs";
import { withGBG, withRequests } from "./gbg.mjs";
import { withOnside } from "./onside.mjs";
import { withToday } from "./today.mjs";

export { ExpectedMessage, Message } from "./declared.mjs";
export { BridgeRequest } from "./gbg.mjs";
export { Purchase, Store, Transaction } from "./onside.mjs";
export { Token } from "./today.mjs";

/** @typedef {import("./onside.mjs").Settings} Settings */
/**
 * The options of a new session: the members of `POST /sessions`.
 * @typedef {import("../core/session.mjs").SessionMembers & import("./onside.mjs").OnsideOptions & import("./today.mjs").TodayOptions}
 *   SessionOptions
 */

/** A document that is open in the session. `listening` says whether its socket is open, so that the host can reach it. */
export class Page extends withRequests(CorePage) {}

/** A session: one installed app on one device, with the parts of all bridges. */
export class Session extends withOnside(withToday(withGBG(withDeclared(CoreSession)))) {
  /**
   * @param {import("../core/pages.mjs").PageMembers} members
   * @returns {Page}
   */
  makePage(members) {
    return new Page(this, members);
  }

  /**
   * Changes options of the session: `change({ account: "eva", present: "auto" })`.
   * @param {SessionOptions} members
   */
  async change(members) {
    return super.change(members);
  }
}
