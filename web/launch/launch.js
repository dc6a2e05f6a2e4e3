// Sets what native has set before the page loads. It is asked for at once, so that the page's own scripts find it.

const { isApp } = launch;
const launchScript = /** @type {HTMLScriptElement} */ (document.currentScript);
const host = /** @type {any} */ (document)[Symbol.for("footbridge")];

/**
 * @param {Storage} storage
 * @param {Record<string, string>} values
 */
function store(storage, values) {
  for (const name of Object.keys(values)) if (storage.getItem(name) === null) storage.setItem(name, values[name]);
}

/**
 * Adds parameters to the address of the first document of the session, or of a tab.
 * @param {{query?: string, hash?: string}} parameters
 */
function setAddress({ query, hash }) {
  const isFirst = launchScript.hasAttribute("data-footbridge-first") || history.length < (isApp ? 3 : 2);
  if (!isFirst || query === undefined && hash === undefined) return;
  const { pathname, search } = location;
  const asked = query === undefined ? search : `${search ? `${search}&` : "?"}${query}`;
  const fragment = location.hash || hash === undefined ? location.hash : `#${hash}`;
  history.replaceState(history.state, "", pathname + asked + fragment);
}

if (window === window.top || isApp) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", `${host.ownFolder}now`, false);
    request.send();
    const data = JSON.parse(request.responseText).launch;
    Object.assign(window, data.window);
    setAddress(data);
    store(localStorage, data.localStorage);
    store(sessionStorage, data.sessionStorage);
  } catch (error) {
    console.warn("Footbridge: what native sets before the page is missing:", error);
  }
}
