// The panes, in the order of their tabs. The name is part of the address; the key is pressed after `g`. To add one, see pane.js.

import { FIRST_PANES, LATER_PANES } from "../../bridges/panes.js";
import { BridgesPane } from "./bridges.js";
import { DevicePane } from "./device.js";
import { LintPane } from "./lint.js";
import { PagesPane } from "./pages.js";
import { RulesPane } from "./rules.js";
import { SettingsPane } from "./settings.js";

/** @type {{name: string, key: string, element: typeof import("./pane.js").Pane}[]} */
export const PANES = [
  ...FIRST_PANES,
  { name: "device", key: "d", element: DevicePane },
  { name: "settings", key: "e", element: SettingsPane },
  { name: "rules", key: "r", element: RulesPane },
  ...LATER_PANES,
  { name: "bridges", key: "i", element: BridgesPane },
  { name: "pages", key: "p", element: PagesPane },
  { name: "lint", key: "l", element: LintPane },
];
