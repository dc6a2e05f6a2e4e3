import {
  classOf, cloneStructured, getPrototypeOf, hasOwn, is, isArray, keys, mapDelete, mapGet, mapSet, NativeDate,
  NativeError, NativeMap, setPrototypeOf, timeOf,
} from "./builtins.js";

/**
 * Marks a value that JSON has no form for, in both directions of `window.webkit`: an object with a member of this name,
 * which is the kind of its `value`. "number": `NaN`, `Infinity`, `-Infinity` or `-0` as text. "date": milliseconds, null
 * if invalid. "reference": the number of an earlier object or array, from 0, in the order in which they begin in the
 * text; marks do not count. "object": an object that has such a member itself.
 */
const mark = "$footbridge";

/**
 * @param {string} kind
 * @param {unknown} value
 */
const marked = (kind, value) => ({ __proto__: null, [mark]: kind, value });

/**
 * Copies plain data without the members whose getters throw, as WebKit does.
 * @param {any} value
 * @param {Map<object, any>} [seen]
 * @returns {any}
 */
function readable(value, seen = new NativeMap()) {
  if (typeof value !== "object" || value === null) return value;
  const prototype = getPrototypeOf(value);
  if (prototype && prototype !== getPrototypeOf({}) && !isArray(value)) return value;
  const earlier = mapGet(seen, value);
  if (earlier) return earlier;
  /** @type {any} */
  const copy = isArray(value) ? [] : {};
  mapSet(seen, value, copy);
  const names = keys(value);
  for (let index = 0; index < names.length; index++) {
    try {
      copy[names[index]] = readable(value[names[index]], seen);
    } catch (error) {
      if (isArray(value)) throw error;
    }
  }
  return copy;
}

/**
 * Copies an argument as WebKit copies it for native code: own enumerable properties, `undefined` for BigInt, no `toJSON`.
 * Files and images are null, geometry and DOMException are `undefined`.
 * Nothing in the copy has a prototype, so that its conversion to text runs no code of the page.
 * An object that occurs twice is copied twice.
 * @param {unknown} value
 * @param {boolean} [marks] - without marks, a cycle throws
 * @returns {any}
 * @throws for a function, symbol, proxy or node anywhere in it
 */
export function encode(value, marks = false) {
  const seen = new NativeMap();
  let count = 0;

  /** @type {(value: any) => any} */
  const copy = (value) => {
    if (typeof value === "bigint") return;
    if (typeof value === "number" && marks && (value - value !== 0 || is(value, -0))) {
      return marked("number", is(value, -0) ? "-0" : `${value}`);
    }
    if (typeof value !== "object" || value === null) return value;
    const [, lost, geometry] = /^\[object (?:(Blob|File|FileList|ImageData)|(DOM.+))]$/.exec(classOf(value)) ?? [];
    if (lost) return null;
    if (geometry) return;
    if (marks && value instanceof NativeDate) return marked("date", timeOf(value));
    const earlier = mapGet(seen, value);
    if (earlier !== undefined) {
      if (marks) return marked("reference", earlier);
      throw new NativeError("cycle");
    }
    mapSet(seen, value, count++);
    const names = isArray(value) ? value : keys(value);
    const copied = isArray(value) ? setPrototypeOf([], null) : { __proto__: null };
    for (let index = 0; index < names.length; index++) {
      const name = isArray(value) ? index : names[index];
      copied[name] = copy(value[name]);
    }
    mapDelete(seen, value);
    return marks && hasOwn(copied, mark) ? marked("object", copied) : copied;
  };
  let clone;
  try {
    clone = cloneStructured(value);
  } catch (/** @type {any} */ error) {
    // A DataCloneError, unlike what a getter throws.
    if (error?.code === 25) throw error;
    clone = cloneStructured(readable(value));
  }
  return copy(clone);
}

/**
 * Replaces the marks in a value from the host.
 * @param {any} value - changed in place
 * @param {object[]} [containers] - the objects and arrays so far
 * @returns {any}
 */
export function decode(value, containers = []) {
  if (typeof value !== "object" || value === null) return value;
  const kind = hasOwn(value, mark) && value[mark];
  if (kind) value = value.value;
  if (kind === "number") return +value;
  if (kind === "date") return new NativeDate(value ?? NaN);
  if (kind === "reference") return containers[value];
  containers[containers.length] = value;
  const names = keys(value);
  for (let index = 0; index < names.length; index++) value[names[index]] = decode(value[names[index]], containers);
  return value;
}
