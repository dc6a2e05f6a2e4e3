// Classes that native puts into `window`: the page makes their instances.

import { create, defineProperty, keys, mapDelete, mapGet, mapSet, NativeMap, NativeTypeError, uncurry } from "../../shim/builtins.js";
import { hooks } from "../../shim/parts.js";
import { fillTemplate } from "./now.js";
import { addMembers, bodyOf, callMember, eventProperty, methodOf } from "./objects.js";
import { ordinary } from "./shim.js";

/** @typedef {import("./objects.js").DeclaredMember} DeclaredMember */
/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */

/** What is known of an instance: its name for native, and its properties such as `onmessage`. */
/** @typedef {{id: string, events: Record<string, PropertyDescriptor>}} Instance */

const { EventTarget: NativeEventTarget, Object: NativeObject, Proxy: NativeProxy, Symbol: { toStringTag } } =
  /** @type {any} */ (window);
const weakGet = uncurry(WeakMap.prototype.get);
const weakSet = uncurry(WeakMap.prototype.set);

/** How many instances native can reach: those that the page has made last. */
const mostInstances = 1000;
/** The instances that native can reach, by their names. */
const reachable = new NativeMap();
/** @type {string[]} */
const reachableNames = [];
let instanceCount = 0;
/** @type {WeakMap<object, Instance>} */
const instancesMade = new WeakMap();

hooks.instance = (name) => mapGet(reachable, name);

/**
 * @param {unknown} object - on which a method or a property of native's is used
 * @returns {Instance}
 */
function knownOf(object) {
  const instance = weakGet(instancesMade, object);
  if (!instance) throw new NativeTypeError("Illegal invocation");
  return instance;
}

/**
 * Gives what the page is making the members that belong to it alone, and tells native.
 * @param {DeclaredConfiguration} bridge
 * @param {string} name - of the class
 * @param {DeclaredMember} maker
 * @param {any} object
 * @param {any[]} list - the arguments
 */
function begin(bridge, name, maker, object, list) {
  const number = ++instanceCount;
  const instance = { id: `${name}#${number}`, events: create(null) };
  const body = bodyOf(bridge, maker, list);
  callMember(bridge, maker, list, instance.id, body);
  const { members = {} } = maker;
  for (const member of keys(members)) {
    const { kind, of } = members[member];
    if (kind === "event") instance.events[member] = eventProperty(object, of);
    if (kind !== "value") continue;
    defineProperty(object, member, { value: fillTemplate(of, ordinary(body)), configurable: true, enumerable: true, writable: true });
  }
  weakSet(instancesMade, object, instance);
  mapDelete(reachable, reachableNames[number % mostInstances]);
  reachableNames[number % mostInstances] = instance.id;
  mapSet(reachable, instance.id, object);
}

/**
 * The property `onmessage` and the like of all instances.
 * @param {string} name
 * @returns {PropertyDescriptor}
 */
const sharedProperty = (name) => ({
  /** @this {unknown} */
  get() { return knownOf(this).events[name].get?.(); },
  /** @this {unknown} */
  set(value) { knownOf(this).events[name].set?.(value); },
  configurable: true, enumerable: true,
});

hooks.makeClass = (bridge, name, members) => {
  const maker = members.new;
  const own = maker.members ?? {};
  const hasEvents = keys(own).some((member) => own[member].kind === "event");
  const { [name]: Class } = { [name]: class extends (hasEvents ? NativeEventTarget : NativeObject) {
    /** @param {any[]} list */
    constructor(...list) {
      super();
      begin(bridge, name, maker, this, list);
    }
  } };
  const { prototype } = Class;
  for (const member of keys(own)) {
    const { kind } = own[member];
    if (kind === "event") defineProperty(prototype, member, sharedProperty(member));
    else if (kind !== "value") {
      const value = methodOf(bridge, member, own[member], (object) => knownOf(object).id);
      defineProperty(prototype, member, { value, configurable: true, enumerable: true, writable: true });
    }
  }
  defineProperty(prototype, toStringTag, { value: name, configurable: true });
  defineProperty(Class, "length", { value: maker.args?.length ?? 0, configurable: true });
  addMembers(bridge, members, Class);
  // Its text is that of native code.
  const shown = new NativeProxy(Class, {});
  prototype.constructor = shown;
  return shown;
};
