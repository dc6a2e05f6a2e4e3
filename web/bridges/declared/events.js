// Events of any kind, on any object of the page, and variables of the page.

import { apply, dispatch, keys, NativeTypeError } from "../../shim/builtins.js";
import { decode } from "../../shim/copy.js";
import { hooks } from "../../shim/parts.js";
import { installs } from "../../shim/webkit.js";
import { hear, rootOf } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */

/**
 * Makes an event and gives it to its target: an `EventTarget`, or an object with a function such as `onmessage`.
 * @param {DeclaredConfiguration} bridge
 * @param {{name: string, on: string[], kind: string, init?: any}} event
 */
function dispatchAt(bridge, { name, on, kind, init }) {
  const page = /** @type {any} */ (window);
  /** @type {any} */
  let target = rootOf(on[0]);
  for (let index = 1; index < on.length; index++) target = target?.[on[index]];
  const members = decode(init) ?? {};
  for (const member of ["data", "detail"]) {
    if (member in members && hooks.encode) members[member] = hooks.encode(bridge, members[member]);
  }
  const event = new page[kind](name, members);
  // What events of this kind lack becomes a property, as in events of the platform that the browser does not know.
  for (const member of keys(members)) if (!(member in event)) event[member] = members[member];
  if (target instanceof EventTarget) return void dispatch(target, event);
  const handler = target?.[`on${name}`];
  if (typeof handler !== "function") {
    throw new NativeTypeError(`window.${on.join(".")} is no event target, and has no function on${name}`);
  }
  apply(handler, target, [event]);
}

/**
 * Sets a variable of the page, and makes the objects on the way to it.
 * @param {DeclaredConfiguration} bridge
 * @param {{path: string[], value?: any}} variable
 */
function setVariable(bridge, { path, value }) {
  let owner = /** @type {any} */ (window);
  for (let index = 0; index < path.length - 1; index++) owner = (index ? owner[path[index]] : rootOf(path[0])) ?? (owner[path[index]] = {});
  const own = decode(value);
  owner[path[path.length - 1]] = hooks.encode ? hooks.encode(bridge, own) : own;
}

for (const bridge of configuration.declared ?? []) {
  installs.push(() => {
    hear(bridge, "dispatch", (data) => dispatchAt(bridge, data));
    hear(bridge, "set", (data) => setVariable(bridge, data));
  });
}
