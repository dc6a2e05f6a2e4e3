// What the dashboard has for single bridges. Only this list and their folders name them.
//
// A bridge may have panes, and settings: a class that is made for the pane of settings, with a method `load` that returns fields
// for the part of the session, and further parts.

import { GBGPane } from "./gbg/pane.js";
import { StoreSettings } from "./onside/pane/settings.js";
import { StorePane } from "./onside/pane/store.js";
import { TodayPane } from "./today/pane.js";

/** @typedef {import("../dashboard/elements.js").Child} Child */

/** The panes that come before all others, as in dashboard/panes/index.js. */
export const FIRST_PANES = [{ name: "store", key: "s", element: StorePane }];

/** The panes that come after those of the session. */
export const LATER_PANES = [{ name: "today", key: "t", element: TodayPane }, { name: "gbg", key: "b", element: GBGPane }];

/** @typedef {{load(session: any): Promise<{fields: Child[], parts: Child[]}>}} Settings */

/** @type {(new (pane: import("../dashboard/panes/pane.js").Pane) => Settings)[]} */
export const SETTINGS = [StoreSettings];
