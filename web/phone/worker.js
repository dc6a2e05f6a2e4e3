// What a worker begins with.

import { hideAPIs } from "./hide.js";
import { setIdentity } from "./identity.js";

hideAPIs();
setIdentity();
