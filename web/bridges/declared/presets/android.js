// Android's WebView: objects as `addJavascriptInterface` puts them into pages.
// Source: Chromium, content/renderer/java and content/browser/android/java (gin_java_bridge_object.cc, gin_java_function_invocation_helper.cc, gin_java_method_invocation_helper.cc, gin_java_script_to_java_types_coercion.cc), content/common/android/gin_java_bridge_errors.cc, 2022 to 2024
// Plays: own methods that can be enumerated and not replaced; what arguments and results become; the texts of errors
// Not played: parameters of other types than String; Java objects as results; addWebMessageListener

import {
  defineProperty, deleteProperty, filter, hasOwn, isArray, keys, mapGet, mapSet, NativeMap, stringify, warn,
} from "../../../shim/builtins.js";
import { nativeError } from "../../../shim/webkit.js";
import { callMember, platforms } from "../objects.js";

/** @typedef {import("../objects.js").DeclaredMember} DeclaredMember */

const javaException = "Java exception was raised during method invocation";
const methodNotFound = "Method not found";
/** What a call can fail with. An answer can choose one of them; any other error is an exception of Java. */
const javaErrors = [
  javaException, methodNotFound, "Unknown Java object ID", "Java object is gone", "Access to java.lang.Object.getClass is blocked",
  "The type of the object passed to the method is incompatible with the type of method's argument", "RenderFrame has been deleted",
];

/** The objects of the page, and their methods. */
/** @type {Map<object, Record<string, DeclaredMember>>} */
const injected = new NativeMap();

/**
 * What a parameter of the type `String` gets. Lists are for parameters that are arrays.
 * @param {unknown} value
 */
function toJava(value) {
  if (typeof value === "bigint" || typeof value === "symbol") return null;
  if (typeof value === "function" || typeof value === "object" && value && !isArray(value)) {
    warn("Footbridge: native gets the text undefined for this argument. Only text, numbers, truth values and lists cross to Java:", value);
    return "undefined";
  }
  return value === undefined ? "undefined" : value;
}

/**
 * What JavaScript gets from Java: text, a number, a truth value or nothing. What has members is the text that an app returns for it.
 * @param {unknown} value
 */
const fromJava = (value) => typeof value === "object" && value ? stringify(value) : value ?? undefined;

platforms.android = (bridge, members) => {
  const object = {};
  const methods = filter(keys(members), (/** @type {string} */ name) => members[name].kind !== "value").sort();
  for (const name of methods) {
    /** @type {(this: object, ...list: any[]) => any} */
    const method = function (...list) {
      if (new.target) throw nativeError("Java bridge method can't be invoked as a constructor");
      const own = mapGet(injected, this);
      if (!own) throw nativeError("Java bridge method can't be invoked on a non-injected object");
      const fail = (/** @type {string} */ reason) => nativeError(`Error invoking ${name}: ${reason}`);
      const member = hasOwn(own, name) ? own[name] : undefined;
      if (!member || member.args && member.args.length !== list.length) throw fail(methodNotFound);
      try {
        return fromJava(callMember(bridge, member, list.map(toJava)));
      } catch (/** @type {any} */ error) {
        if (javaErrors.includes(error?.message)) throw fail(error.message);
        warn(`Footbridge: ${name} has thrown in Java:`, error);
        throw fail(javaException);
      }
    };
    // No method has a name or a number of parameters.
    defineProperty(method, "name", { value: "", configurable: true });
    defineProperty(object, name, { value: method, configurable: true, enumerable: true, writable: true });
  }
  const isMethod = (/** @type {PropertyKey} */ name) => typeof name === "string" && hasOwn(members, name);
  // The page can neither replace nor delete a method.
  const proxy = new Proxy(object, {
    set: (target, name, value, receiver) => isMethod(name) || Reflect.set(target, name, value, receiver),
    deleteProperty: (target, name) => isMethod(name) || deleteProperty(target, name),
    defineProperty: (target, name, descriptor) => isMethod(name) || Reflect.defineProperty(target, name, descriptor),
  });
  mapSet(injected, proxy, members);
  return proxy;
};
