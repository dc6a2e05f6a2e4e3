/** @type {any} */
let trustedPolicy;

/**
 * A text of ours for an element that takes no plain string in pages with `require-trusted-types-for`.
 * @param {string} text
 * @param {"createHTML" | "createScriptURL"} [kind]
 */
function trusted(text, kind = "createHTML") {
  const same = (/** @type {string} */ text) => text;
  trustedPolicy ??= /** @type {any} */ (window).trustedTypes?.createPolicy("footbridge", {
    createHTML: same, createScriptURL: same,
  });
  return trustedPolicy?.[kind](text) ?? text;
}
