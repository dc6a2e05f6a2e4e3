// The panes, in the order of their tabs. The name stands in addresses, and the key follows `g`. pane.js says how to add one.

import { LintPane } from "./lint.js";
import { PagesPane } from "./pages.js";

/** @type {{name: string, key: string, element: typeof import("./pane.js").Pane}[]} */
export const PANES = [
  { name: "pages", key: "p", element: PagesPane },
  { name: "lint", key: "l", element: LintPane },
];
