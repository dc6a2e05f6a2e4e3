/** @type {any} */
let trustedPolicy;

/**
 * Makes a trusted text for an element that accepts no plain string in pages with `require-trusted-types-for`.
 * @param {string} text
 * @param {"createHTML" | "createScript" | "createScriptURL"} [kind]
 */
export function trusted(text, kind = "createHTML") {
  const same = (/** @type {string} */ text) => text;
  trustedPolicy ??= /** @type {any} */ (window).trustedTypes?.createPolicy("footbridge", {
    createHTML: same, createScript: same, createScriptURL: same,
  });
  return trustedPolicy?.[kind](text) ?? text;
}
