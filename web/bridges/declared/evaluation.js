import { listen, NativeError } from "../../shim/builtins.js";
import { ownScript } from "../../shim/configuration.js";
import { sheetHost } from "../../shim/parts.js";
import { listenAlways } from "../../shim/relisten.js";
import { trusted } from "../../shim/trusted.js";

const evaluator = /** @type {{evaluate?: (text: string, isAsked: boolean, means: object) => unknown, noteError?: (event: Event) => void}} */ (sheetHost);

const noteError = (/** @type {Event} */ event) => evaluator.noteError?.(event);
// The shim's listener runs before the page's own.
listenAlways(() => listen(window, "error", noteError));

/** Whether the script `evaluation.js` is here, which evaluates. It is not in every page. */
export const canEvaluate = () => !!evaluator.evaluate;

/**
 * Evaluates a script of native in the page.
 * @param {string} text
 * @param {boolean} isAsked - whether anybody wants to know its value
 */
export function evaluate(text, isAsked) {
  if (evaluator.evaluate) return evaluator.evaluate(text, isAsked, { nonce: ownScript?.nonce, trusted });
  throw new NativeError("The page could not load what evaluates scripts.");
}
