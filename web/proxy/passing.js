// A page that navigates to the address of the server behind Footbridge loses its host without notice. This script reports it.

import { apply, defineProperty, filter, listen, pathOf, warn } from "../shim/builtins.js";
import { request } from "../shim/connection.js";
import { watchDepartures } from "../shim/departures.js";
import { listenAlways } from "../shim/relisten.js";
import { installs } from "../shim/webkit.js";

const upstreamOrigins = filter(configuration.upstreams, (/** @type {string} */ origin) => origin !== location.origin);
/** What was told already. */
const toldAddresses = new Set();

/**
 * Reports an address to the console and the host, if it bypasses Footbridge.
 * @param {unknown} address
 */
function tellPassing(address) {
  let url;
  try {
    url = new URL(`${address}`, document.baseURI);
  } catch {
    return;
  }
  // The rest of an address may contain secrets.
  const shown = url.origin + url.pathname;
  if (!upstreamOrigins.includes(url.origin) || toldAddresses.has(shown)) return;
  toldAddresses.add(shown);
  warn(`Footbridge: ${shown} is an address of the server behind Footbridge. What opens there has no native host. `
    + "Use links without a host, set the site's base address, or start Footbridge with --proxy-rewrite-links.");
  request("footbridge.passing", { url: shown }, () => {});
}

function watchPassing() {
  if (!upstreamOrigins.length) return;
  /** @type {any} */ (window).navigation?.addEventListener(
    "navigate", (/** @type {any} */ event) => tellPassing(event.destination.url));
  watchDepartures(tellPassing);
  // For links that another button of the mouse opens in another window.
  const tellOfLink = (/** @type {Event} */ event) => {
    const link = pathOf(event).find((/** @type {any} */ element) => element instanceof HTMLAnchorElement && element.href);
    if (link && !event.defaultPrevented) tellPassing(link.href);
  };
  listenAlways(() => listen(window, "auxclick", tellOfLink));
  const { open } = window;
  defineProperty(window, "open", { configurable: true, enumerable: true, writable: true, value: new Proxy(open, {
    apply(target, self, parameters) {
      if (parameters.length && parameters[0]) tellPassing(parameters[0]);
      return apply(target, self, parameters);
    },
  }) });
  // For frames, whose documents this script does not watch.
  new PerformanceObserver((list) => {
    for (const { name, initiatorType } of /** @type {PerformanceResourceTiming[]} */ (list.getEntries())) {
      if (initiatorType === "iframe") tellPassing(name);
    }
  }).observe({ type: "resource", buffered: true });
}

installs[installs.length] = watchPassing;
