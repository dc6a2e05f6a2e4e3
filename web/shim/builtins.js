// The built-ins of the page's realm that the shim uses, saved before the page can replace them. The server joins the
// shim's files, each after those that it imports, into one strict function.

export const { isArray } = Array;
export const { now } = Date;
export const { parse, stringify } = JSON;
export const { min, random } = Math;
export const { assign, create, defineProperty, getPrototypeOf, hasOwn, is, keys, setPrototypeOf } = Object;
export const { apply, deleteProperty, isExtensible, ownKeys } = Reflect;
export const { warn } = console;

export const NativeBlob = Blob;
export const NativeCustomEvent = CustomEvent;
export const NativeDate = Date;
export const NativeError = Error;
export const NativeMap = Map;
export const NativePromise = Promise;
export const NativeTypeError = TypeError;
export const NativeWebSocket = WebSocket;
export const cloneStructured = structuredClone;
export const startFetch = fetch;
export const startTimer = setTimeout;
export const stopTimer = clearTimeout;
export const reportUncaught = reportError;

/** @type {(method: Function) => (self: unknown, ...rest: any[]) => any} */
export const uncurry = Function.prototype.bind.bind(Function.prototype.call);
export const filter = uncurry(Array.prototype.filter);
export const forEach = uncurry(Array.prototype.forEach);
export const mapDelete = uncurry(Map.prototype.delete);
export const mapForEach = uncurry(Map.prototype.forEach);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const shift = uncurry(Array.prototype.shift);
export const then = uncurry(Promise.prototype.then);
export const classOf = uncurry(Object.prototype.toString);
export const timeOf = uncurry(Date.prototype.getTime);
export const pathOf = uncurry(Event.prototype.composedPath);
export const stopEvent = uncurry(Event.prototype.stopImmediatePropagation);
export const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
export const listen = uncurry(EventTarget.prototype.addEventListener);
export const sendText = uncurry(NativeWebSocket.prototype.send);
export const closeSocket = uncurry(NativeWebSocket.prototype.close);
