// What a document begins with, after the shim and before the page's own scripts.

import { watchDifferences } from "./differences.js";
import { hideAPIs } from "./hide.js";
import { setIdentity } from "./identity.js";
import { watchCalls, watchFailures } from "./uses.js";

watchFailures();
watchDifferences();
if (phone.hides) {
  hideAPIs();
  setIdentity();
} else {
  watchCalls();
}
