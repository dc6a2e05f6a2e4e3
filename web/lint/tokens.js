// Bearer tokens that the host has given to the page, and where the page sends them. Only a page with a token is watched. A report
// never contains a token.

/** @type {Set<string>} */
const tokens = new Set();

/** The shortest text that counts as a token. */
const shortestToken = 8;

/** The places that were reported, with the hosts. */
const reportedPlaces = new Set();

/** Whether an answer of 401 was reported since the page got its last token. */
let isRefusalReported = false;

/**
 * The page got an answer of the host.
 * @param {any} value
 */
seeing.answer = (value) => {
  const field = value?.authorization ?? value?.Authorization;
  const token = typeof field === "string" ? field.replace(/^Bearer /i, "") : "";
  if (token.length < shortestToken) return;
  if (!tokens.size) watchRequests();
  tokens.add(token);
  isRefusalReported = false;
};

/** @param {string} text */
function hasToken(text) {
  for (const token of tokens) if (text.includes(token) || text.includes(encodeURIComponent(token))) return true;
  return false;
}

/**
 * @param {"url" | "body" | "header"} place
 * @param {URL} address
 */
function reportToken(place, { host }) {
  // A header to the page's own server is the intended use.
  if (place === "header" && host === location.host || reportedPlaces.has(place + host)) return;
  reportedPlaces.add(place + host);
  report({ seen: "token", place, host });
}

/**
 * Checks a request of the page.
 * @param {unknown} url
 * @param {unknown} headers - anything that `Headers` takes
 * @param {unknown} body
 */
function inspect(url, headers, body) {
  const address = new URL(String(url), document.baseURI);
  if (hasToken(address.href)) reportToken("url", address);
  if ((typeof body === "string" || body instanceof URLSearchParams) && hasToken(String(body))) reportToken("body", address);
  if (headers) for (const [, value] of new Headers(/** @type {any} */ (headers))) if (hasToken(value)) reportToken("header", address);
}

/**
 * Wraps a function of the browser with a check. The page sees the same property, with the same name and length of the function.
 * @param {any} owner
 * @param {string} name
 * @param {(self: any, list: any[]) => void} look
 */
function watchFunction(owner, name, look) {
  if (typeof owner[name] !== "function") return;
  owner[name] = new Proxy(owner[name], {
    apply(target, self, list) {
      try {
        look(self, list);
      } catch {
        // The browser itself reports an invalid call.
      }
      return Reflect.apply(target, self, list);
    },
  });
}

function watchRequests() {
  new PerformanceObserver((list) => {
    for (const { name, responseStatus } of /** @type {any[]} */ (list.getEntries())) {
      if (hasToken(name)) reportToken("url", new URL(name));
      if (responseStatus !== 401 || isRefusalReported) continue;
      isRefusalReported = true;
      report({ seen: "unauthorized" });
    }
  }).observe({ type: "resource" });
  watchFunction(window, "fetch", (_, [input, init]) => {
    const isRequest = input instanceof Request;
    inspect(isRequest ? input.url : input, init?.headers ?? (isRequest ? input.headers : undefined), init?.body);
  });
  watchFunction(Navigator.prototype, "sendBeacon", (_, [url, body]) => inspect(url, undefined, body));
  /** @type {WeakMap<object, {url: string, headers: [string, string][]}>} */
  const requests = new WeakMap();
  watchFunction(XMLHttpRequest.prototype, "open", (self, [, url]) => requests.set(self, { url: String(url), headers: [] }));
  watchFunction(XMLHttpRequest.prototype, "setRequestHeader", (self, [name, value]) =>
    requests.get(self)?.headers.push([String(name), String(value)]));
  watchFunction(XMLHttpRequest.prototype, "send", (self, [body]) => {
    const { url, headers } = requests.get(self) ?? {};
    if (url !== undefined) inspect(url, headers, body);
  });
}
