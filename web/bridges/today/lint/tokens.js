// Bearer tokens that the host has given to the page, and where the page sends them. Only a page with a token is watched. A report
// never contains a token.

import { report, seeing } from "../../../lint/base.js";
import { reportsNavigations, watchDepartures } from "../../../shim/departures.js";

/** @type {Set<string>} */
const tokens = new Set();

/** The shortest text that counts as a token. */
const shortestToken = 8;

/** The largest body that is looked at, in bytes. */
const longestBody = 1 << 20;

/**
 * The bodies of the page's requests, which cannot be read from them at once.
 * @type {WeakMap<object, unknown>}
 */
const bodies = new WeakMap();

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
  readBody(body, (text) => {
    if (hasToken(text)) reportToken("body", address);
  });
  // An iterator gives its fields once, and they belong to the page's request.
  if (headers && typeof (/** @type {any} */ (headers).next) !== "function") for (const [, value] of new Headers(/** @type {any} */ (headers))) if (hasToken(value)) reportToken("header", address);
}

/**
 * Reads the texts of a body: of a text, a form, or bytes.
 * @param {unknown} body
 * @param {(text: string) => void} look
 */
function readBody(body, look) {
  if (typeof body === "string" || body instanceof URLSearchParams) return look(String(body));
  if (body instanceof FormData) {
    for (const [, value] of body) readBody(value, look);
  } else if (body instanceof Blob) {
    if (body.size <= longestBody) void body.text().then(look, () => {});
  } else if ((body instanceof ArrayBuffer || ArrayBuffer.isView(body)) && body.byteLength <= longestBody) {
    look(new TextDecoder().decode(body));
  }
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

/**
 * Wraps a class of the browser with a check of each object that is made. The page sees the same property and the same prototype.
 * @param {string} name
 * @param {(made: any, list: any[]) => void} look
 */
function watchClass(name, look) {
  const native = /** @type {any} */ (window)[name];
  if (typeof native !== "function") return;
  const watched = new Proxy(native, {
    construct(target, list, type) {
      const made = Reflect.construct(target, list, type);
      try {
        look(made, list);
      } catch {
        // The page is not told what this script cannot read.
      }
      return made;
    },
  });
  /** @type {any} */ (window)[name] = watched;
  native.prototype.constructor = watched;
}

/** Looks at where the page goes, and what forms take along. A fragment stays in the browser, and so does a page that only changes its address. */
function watchNavigations() {
  if (!reportsNavigations) watchDepartures((address, form) => inspect(address.split("#")[0], undefined, form?.data()));
  /** @type {any} */ (window).navigation?.addEventListener("navigate", (/** @type {any} */ { destination, formData, downloadRequest }) => {
    if (!destination.sameDocument || downloadRequest) inspect(destination.url.split("#")[0], undefined, formData);
  });
  watchFunction(window, "open", (_, [url]) => {
    if (url) inspect(String(url).split("#")[0], undefined, undefined);
  });
}

function watchRequests() {
  watchNavigations();
  watchClass("WebSocket", ({ url }) => inspect(url, undefined, undefined));
  watchClass("EventSource", ({ url }) => inspect(url, undefined, undefined));
  watchClass("Request", (made, [input, init]) => bodies.set(made, init?.body ?? bodies.get(input)));
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
    inspect(isRequest ? input.url : input, init?.headers ?? (isRequest ? input.headers : undefined), init?.body ?? bodies.get(input));
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
