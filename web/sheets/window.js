// The script of the sheets begins with this file: the shim calls what it sets.

import { shimHost } from "./elements.js";
import { dismissSheet, presentSheet } from "./frame.js";
import { showElsewhere } from "./notice.js";
import "../bridges/sheets.js";

shimHost.present = presentSheet;
shimHost.dismiss = dismissSheet;
shimHost.withhold = showElsewhere;
