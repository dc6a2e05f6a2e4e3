// The title of the document, which the host shows to people.

import { apply } from "./builtins.js";

const { get } = /** @type {Required<PropertyDescriptor>} */ (Object.getOwnPropertyDescriptor(Document.prototype, "title"));

/**
 * Returns the title. The page may have an element of the name `title`, which hides the document's property.
 * @returns {string}
 */
export const readTitle = () => apply(get, document, []).slice(0, 200);
