// Requests of scripts for resources of the app, in pages and workers.

/**
 * Has `fetch` and `XMLHttpRequest` load addresses with a scheme of the app.
 * @param {import("./addresses.js").Addresses} addresses
 */
export function takeRequests({ served, shown }) {
  const { fetch: load, Request: NativeRequest, Response: NativeResponse, XMLHttpRequest } = globalThis;
  const { apply } = Reflect;
  const { defineProperty } = Object;
  const { clone } = NativeResponse.prototype;

  /**
   * Has a response, and its copies, say where the page has asked.
   * @param {Response} response
   * @param {string} url
   */
  const named = (response, url) => {
    defineProperty(response, "url", { value: url, configurable: true });
    defineProperty(response, "clone", { value: () => named(apply(clone, response, []), url), configurable: true });
    return response;
  };

  /**
   * @param {string} address
   * @param {Parameters<typeof fetch>} list
   */
  const loadResource = async (address, list) => {
    const request = new NativeRequest(...list);
    const { method, headers, signal } = request;
    const body = method === "GET" || method === "HEAD" ? undefined : await request.arrayBuffer();
    // The server knows the page by its cookie.
    const response = await load(address, { method, headers, body, signal, cache: "no-store", credentials: "include" });
    return named(response, shown(response.url));
  };

  globalThis.fetch = {
    /** @param {Parameters<typeof fetch>} list */
    fetch(...list) {
      const [input] = list;
      const address = served(input instanceof NativeRequest ? input.url : input);
      return address === undefined ? apply(load, globalThis, list) : loadResource(address, list);
    },
  }.fetch;

  const { prototype } = XMLHttpRequest;
  const { open } = prototype;
  prototype.open = /** @type {any} */ ({
    /**
     * @param {string} method
     * @param {unknown} url
     * @param {any[]} list
     */
    open(method, url, ...list) {
      const address = served(url);
      apply(open, this, address === undefined ? arguments : [method, address, ...list]);
      if (address !== undefined) this.withCredentials = true;
    },
  }).open;
  const descriptor = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, "responseURL"));
  const { get } = descriptor;
  defineProperty(prototype, "responseURL", { ...descriptor, get() { return shown(apply(get, this, [])); } });
}
