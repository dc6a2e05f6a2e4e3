// What the host has the page do: load another document, reload because a file of the site has changed, and look after the
// service workers of its origin.

import { loadScript } from "./load.js";
import { listeners } from "./parts.js";

listeners["footbridge.reload"] = () => location.reload();

listeners["footbridge.load"] = ({ url }) => location.assign(String(url));

listeners["footbridge.workers"] = ({ task }) => loadScript("workers.js?task=" + task);
