// Removes what the phone lacks, so that a page finds as little of it as there.

const { deleteProperty, getOwnPropertyDescriptor } = Reflect;

/**
 * Returns the object that has an API as its own property, and the name of the property.
 * @param {string} path
 * @returns {[owner: any, name: string] | undefined}
 */
export function findAPI(path) {
  const names = path.split(".");
  const name = /** @type {string} */ (names.pop());
  /** @type {any} */
  let owner = globalThis;
  for (const each of names) {
    owner = getOwnPropertyDescriptor(owner, each)?.value;
    if (!owner || !/^(object|function)$/.test(typeof owner)) return;
  }
  return getOwnPropertyDescriptor(owner, name) && [owner, name];
}

export function hideAPIs() {
  // Members come before the interfaces that they belong to.
  for (const path of Object.keys(phone.lacks).sort((one, other) => other.length - one.length)) {
    const found = findAPI(path);
    if (found) deleteProperty(...found);
  }
}
