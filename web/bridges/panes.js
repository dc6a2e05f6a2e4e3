// What the dashboard has for single bridges. Only this list and their folders name them.
//
// A bridge may have panes, and settings: a class that is made for the pane of settings, with a method `load` that returns fields
// for the part of the session, and further parts.

import { waitingRequests } from "./gbg/needs.js";
import { GBGPane } from "./gbg/pane.js";
import { StoreSettings } from "./onside/pane/settings.js";
import { StorePane } from "./onside/pane/store.js";
import { storeWords } from "./onside/pane/words.js";
import { TodayPane } from "./today/pane.js";

/** @typedef {import("../dashboard/elements.js").Child} Child */

/** The panes that come before all others, as in dashboard/panes/index.js. */
export const FIRST_PANES = [{ name: "store", key: "s", element: StorePane }];

/** The panes that come after those of the session. */
export const LATER_PANES = [{ name: "today", key: "t", element: TodayPane }, { name: "gbg", key: "b", element: GBGPane }];

/** @typedef {{load(session: any): Promise<{fields: Child[], parts: Child[]}>}} Settings */

/** @type {(new (pane: import("../dashboard/panes/pane.js").Pane) => Settings)[]} */
export const SETTINGS = [StoreSettings];

/** @typedef {import("../dashboard/stories.js").Story} Story */

/**
 * What tells a bridge's calls in words: what was asked, and what became of it if that is more than its answer; null for a call of another bridge.
 * @type {((story: Story) => {what: string, outcome?: string} | null)[]}
 */
export const STORY_WORDS = [storeWords];

/**
 * What reads the messages of a bridge that wait for a person.
 * @type {((api: import("../dashboard/api.js").API, path: string, openPane: (pane: string) => void) => Promise<import("../dashboard/needs.js").Need[]>)[]}
 */
export const NEEDS = [waitingRequests];
