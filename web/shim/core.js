// What every page has, before the parts of bridges.

import "./goodbye.js";
import "./sheets.js";
import "./reload.js";
