// Addresses with a scheme of the app's own, such as app://localhost/icon.svg. No browser loads them, so the server has an address for each.

/**
 * What turns addresses with a scheme into those at which the server answers, and back.
 * @typedef {object} Addresses
 * @property {(text: unknown) => string | undefined} served - the server's address; undefined for other addresses
 * @property {(text: string) => string} shown - the address as the page knows it; other addresses as they are
 */

/**
 * @param {Record<string, string>} bridges - the names of the bridges, by schemes in lower case
 * @param {string} folder - the address of the server's own routes, with a slash at the end
 * @returns {Addresses}
 */
export function addressesOf(bridges, folder) {
  const { URL } = globalThis;
  const base = `${folder}resources/`;
  return {
    served(text) {
      const found = /^[\0- ]*([a-z][a-z0-9+.-]*):\//i.exec(`${text}`);
      const scheme = found?.[1].toLowerCase() ?? "";
      if (!Object.hasOwn(bridges, scheme)) return;
      try {
        const { host, pathname, search, hash } = new URL(`${text}`);
        return `${base}${bridges[scheme]}/${scheme}/~${host}${pathname}${search}${hash}`;
      } catch {
        // The browser says what is wrong with the address.
      }
    },
    shown(text) {
      if (!text.startsWith(base)) return text;
      const [bridge, scheme, host, ...path] = text.slice(base.length).split("/");
      return bridges[scheme] === bridge ? `${scheme}://${[host.slice(1), ...path].join("/")}` : text;
    },
  };
}
