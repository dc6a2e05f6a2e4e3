// Test code decides here what the native host of a page does. The kit has no dependencies and runs on Node 18 and later; docs/testing.md is
// the manual. `core` has what every bridge needs, `bridges` has a file for each bridge.

/** @typedef {import("./core/journal.mjs").Entry} Entry */
/** @typedef {import("./core/journal.mjs").Finding} Finding */
/** @typedef {import("./core/journal.mjs").Miss} Miss */
/** @typedef {import("./core/rules.mjs").Times} Times */
/** @typedef {import("./core/session.mjs").BrowserContext} BrowserContext */
/** @typedef {import("./core/session.mjs").Cookie} Cookie */
/** @typedef {import("./core/session.mjs").Patience} Patience */
/** @typedef {import("./core/session.mjs").SessionBase} SessionBase */
/** @typedef {import("./bridges/index.mjs").SessionOptions} SessionOptions */
/** @typedef {import("./bridges/index.mjs").Settings} Settings */

export * from "./bridges/index.mjs";
export { Clock } from "./core/clock.mjs";
export { Device } from "./core/device.mjs";
export { ControlError, ExpectationError } from "./core/errors.mjs";
export { fixtures, fixturesFor } from "./core/fixtures.mjs";
export { CorePage } from "./core/pages.mjs";
export { absent, anything, contains, matches } from "./core/patterns.mjs";
export { Gate, Rule, When } from "./core/rules.mjs";
export { Server } from "./core/server.mjs";
export { CoreSession } from "./core/session.mjs";
export { ExpectedSheet, Sheet } from "./core/sheets.mjs";
export { Calls, Events } from "./core/verification.mjs";
