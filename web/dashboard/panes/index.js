// The panes, in the order of their tabs. The name is part of the address; the key is pressed after `g`. To add one, see pane.js.

import { BridgesPane } from "./bridges.js";
import { GBGPane } from "./gbg.js";
import { LintPane } from "./lint.js";
import { PagesPane } from "./pages.js";
import { RulesPane } from "./rules.js";
import { SettingsPane } from "./settings.js";
import { StorePane } from "./store.js";
import { TodayPane } from "./today.js";

/** @type {{name: string, key: string, element: typeof import("./pane.js").Pane}[]} */
export const PANES = [
  { name: "store", key: "s", element: StorePane },
  { name: "settings", key: "e", element: SettingsPane },
  { name: "rules", key: "r", element: RulesPane },
  { name: "today", key: "t", element: TodayPane },
  { name: "gbg", key: "b", element: GBGPane },
  { name: "bridges", key: "i", element: BridgesPane },
  { name: "pages", key: "p", element: PagesPane },
  { name: "lint", key: "l", element: LintPane },
];
