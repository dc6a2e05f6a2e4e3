// Objects that native puts into `window`, as the section of a bridge says.

import { apply, create, defineProperty, keys, listen, NativePromise, then, warn } from "../../shim/builtins.js";
import { isOpaque } from "../../shim/configuration.js";
import { request } from "../../shim/connection.js";
import { hooks } from "../../shim/parts.js";
import { askNow, fillTemplate } from "./now.js";
import { copyForHost, messageName, noteMessage, ordinary, readText, sendDeclared } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */

/**
 * A member of an object.
 * @typedef {object} DeclaredMember
 * @property {"returns" | "now" | "message" | "promise" | "callback" | "value" | "event"} kind - what a call of a method gives: a value that is in
 *   the declaration, the answer at once, nothing, a promise of the answer, or the answer as the argument of a function that it is given; or a
 *   property: a value, or what hears an event of the object
 * @property {string} name - of its messages, unless the messages themselves have one
 * @property {string[]} [args] - the members of a message that the arguments are
 * @property {any} [of] - the template of the value, or the type of the event
 * @property {Record<string, DeclaredMember>} [members] - of each instance, where the member is the constructor of a class
 */

/**
 * How a platform makes its objects, by presets.
 * @type {Record<string, (bridge: DeclaredConfiguration, members: Record<string, DeclaredMember>) => object>}
 */
export const platforms = create(null);

/** Arguments that are the JSON text of an object or a list are read. */
const readArgument = (/** @type {unknown} */ value) => typeof value === "string" && /^\s*[[{]/.test(value) ? readText(value) : value;

/**
 * The message that a call sends: its only argument, a list of several, or an object of those that have names.
 * @param {DeclaredConfiguration} bridge
 * @param {DeclaredMember} member
 * @param {any[]} list
 */
export function bodyOf({ decode }, { args }, list) {
  // The copy has no methods.
  const copies = copyForHost(list);
  for (let index = 0; !decode && index < copies.length; index++) copies[index] = readArgument(copies[index]);
  if (!args) return copies.length > 1 ? copies : copies[0] ?? null;
  /** @type {any} */
  const body = { __proto__: null };
  for (let index = 0; index < args.length; index++) body[args[index]] = copies[index];
  return body;
}

/**
 * Sends a message for whose answer nobody waits.
 * @param {string} action
 * @param {unknown} value
 * @param {string} [instance]
 */
function post(action, value, instance) {
  if (isOpaque) return;
  request(action, { value, waits: false, instance }, ({ error }) => error && warn(`Footbridge: ${action}: ${error.message}`), configuration.messageBytes);
}

/**
 * Calls a method of native.
 * @param {DeclaredConfiguration} bridge
 * @param {DeclaredMember} member
 * @param {any[]} list - the arguments
 * @param {string} [instance] - whose method it is
 * @param {unknown} value - the message
 * @returns {any}
 */
export function callMember(bridge, member, list, instance, value = bodyOf(bridge, member, list)) {
  const { kind, of } = member;
  noteMessage();
  const send = (/** @type {unknown} */ value) => {
    const name = messageName({ ...bridge, naming: [...bridge.naming, member.name] }, value, member.name);
    if (kind === "now") return askNow(bridge, name, value, instance);
    if (kind === "promise" || kind === "callback") return sendDeclared(bridge, name, value, undefined, instance);
    post(`${bridge.name}.${name}`, value, instance);
    if (kind === "returns") return fillTemplate(of, ordinary(value));
  };
  return hooks.transcode ? hooks.transcode(bridge, {}, value, send) : send(value);
}

/**
 * The property `onmessage` of an object, for its events.
 * @param {EventTarget} target
 * @param {string} type
 */
export function eventProperty(target, type) {
  /** @type {unknown} */
  let current = null;
  listen(target, type, (/** @type {Event} */ event) => typeof current === "function" && apply(current, target, [event]));
  return { get: () => current, set(/** @type {unknown} */ value) { current = value; }, configurable: true, enumerable: true };
}

/**
 * A method of native's.
 * @param {DeclaredConfiguration} bridge
 * @param {string} name
 * @param {DeclaredMember} member
 * @param {(object: unknown) => string} [instanceOf] - tells which instance of a class has been called; throws for another object
 */
export const methodOf = (bridge, name, member, instanceOf) => ({
  /**
   * @this {unknown}
   * @param {any[]} list
   */
  [name](...list) {
    const instance = instanceOf?.(this);
    /** @type {any[]} */
    const functions = [];
    while (member.kind === "callback" && typeof list[list.length - 1] === "function") functions.unshift(list.pop());
    if (member.kind !== "promise" && member.kind !== "callback") return callMember(bridge, member, list, instance);
    const answer = new NativePromise((resolve) => resolve(callMember(bridge, member, list, instance)));
    if (member.kind === "promise") return answer;
    then(answer, functions[0], functions[1]);
  },
}[name]);

/**
 * Gives an object the members that a declaration has.
 * @param {DeclaredConfiguration} bridge
 * @param {Record<string, DeclaredMember>} members
 * @param {any} object
 */
export function addMembers(bridge, members, object) {
  for (const name of keys(members)) {
    const member = members[name];
    // It is the class itself.
    if (member.members) continue;
    if (member.kind === "event") {
      defineProperty(object, name, eventProperty(object, member.of));
      continue;
    }
    const value = member.kind === "value" ? ordinary(member.of) : methodOf(bridge, name, member);
    defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  }
  return object;
}

hooks.addObjects = (bridge) => {
  for (const { path, members } of bridge.objects ?? []) {
    let owner = /** @type {any} */ (window);
    for (let index = 0; index < path.length - 1; index++) owner = owner[path[index]] ??= {};
    const name = path[path.length - 1];
    const make = bridge.preset && platforms[bridge.preset];
    const present = owner[name];
    // What the browser or another object of the declaration has is extended.
    const isClass = keys(members).some((member) => members[member].members);
    if (!make && !isClass && typeof present === "object" && present) {
      addMembers(bridge, members, present);
      continue;
    }
    const hasEvents = keys(members).some((member) => members[member].kind === "event");
    const value = make ? make(bridge, members)
      : isClass ? hooks.makeClass?.(bridge, name, members)
      : addMembers(bridge, members, hasEvents ? new EventTarget() : {});
    defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  }
};
