// What the host has the page do: load another document, reload because a file of the site has changed, look after the
// service workers of its origin, and tell its developer about a problem.

import { warn } from "./builtins.js";
import { loadScript } from "./load.js";
import { listeners } from "./parts.js";

listeners["footbridge.reload"] = () => location.reload();

listeners["footbridge.error"] = ({ message }) => warn("Footbridge:", message);

listeners["footbridge.load"] = ({ url }) => location.assign(String(url));

listeners["footbridge.workers"] = ({ task }) => loadScript("workers.js?task=" + task);
