// Resources of the app in pages: addresses with a scheme that a declared bridge answers.

import { create, keys } from "../../../shim/builtins.js";
import { isOpaque, ownFolder } from "../../../shim/configuration.js";
import { installs } from "../../../shim/webkit.js";
import { isInDocument } from "../shim.js";
import { addressesOf } from "./addresses.js";
import { takeElements } from "./elements.js";
import { takeRequests } from "./requests.js";

installs.push(() => {
  /** @type {Record<string, string>} */
  const bridges = create(null);
  for (const bridge of configuration.declared ?? []) {
    if (isInDocument(bridge)) for (const scheme of bridge.schemes ?? []) bridges[scheme] = bridge.name;
  }
  // A document without a known origin has no session.
  if (isOpaque || !keys(bridges).length) return;
  const addresses = addressesOf(bridges, ownFolder);
  takeRequests(addresses);
  takeElements(addresses);
});
