// Puts something of ours in the place of what the browser has.

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;

/**
 * @param {any} object
 * @param {string} name
 * @returns {PropertyDescriptor | undefined} of the object itself, or of what it inherits from
 */
function find(object, name) {
  for (let owner = object; owner; owner = getPrototypeOf(owner)) {
    const found = getOwnPropertyDescriptor(owner, name);
    if (found) return found;
  }
}

/**
 * Has a property of an object return something else.
 * @param {any} object
 * @param {string} name
 * @param {(browsers: () => any) => unknown} get - gets the browser's value by the function that it is given
 */
export function replaceGetter(object, name, get) {
  const found = find(object, name);
  if (!found) return;
  const browsers = () => found.get ? found.get.call(object) : found.value;
  defineProperty(object, name, { configurable: true, enumerable: true, get: () => get(browsers) });
}

/**
 * Replaces a function, or a class, of an object.
 * @param {any} object
 * @param {string} name
 * @param {(browsers: any) => Function} make - makes ours from the browser's
 */
export function replaceFunction(object, name, make) {
  const found = find(object, name);
  if (typeof found?.value !== "function") return;
  defineProperty(object, name, { ...found, configurable: true, writable: true, value: make(found.value) });
}
