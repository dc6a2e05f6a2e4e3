// What the host has the page do: load another document, give its window a size, reload
// because a file of the site has changed, load another script of ours, and tell its developer about a problem.

import { warn } from "./builtins.js";
import { loadScript } from "./load.js";
import { listeners } from "./parts.js";

listeners["footbridge.reload"] = () => location.reload();

listeners["footbridge.error"] = ({ message }) => warn("Footbridge:", message);

listeners["footbridge.resize"] = ({ width, height }) => resizeTo(width + outerWidth - innerWidth, height + outerHeight - innerHeight);

listeners["footbridge.load"] = ({ url }) => location.assign(String(url));

listeners["footbridge.script"] = ({ name }) => loadScript(name);
