// The built-ins of the page's realm that the shim uses, saved before the page can replace them. The server joins the
// files of this folder in alphabetical order into one strict function.

const { isArray } = Array;
const { now } = Date;
const { parse, stringify } = JSON;
const { min, random } = Math;
const { assign, create, defineProperty, getPrototypeOf, hasOwn, is, keys, setPrototypeOf } = Object;
const { apply, deleteProperty, isExtensible, ownKeys } = Reflect;
const { warn } = console;

const NativeBlob = Blob;
const NativeCustomEvent = CustomEvent;
const NativeDate = Date;
const NativeError = Error;
const NativeMap = Map;
const NativePromise = Promise;
const NativeTypeError = TypeError;
const NativeWebSocket = WebSocket;
const cloneStructured = structuredClone;
const startFetch = fetch;
const startTimer = setTimeout;
const stopTimer = clearTimeout;
const reportUncaught = reportError;

/** @type {(method: Function) => (self: unknown, ...rest: any[]) => any} */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const filter = uncurry(Array.prototype.filter);
const mapDelete = uncurry(Map.prototype.delete);
const mapForEach = uncurry(Map.prototype.forEach);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const shift = uncurry(Array.prototype.shift);
const then = uncurry(Promise.prototype.then);
const classOf = uncurry(Object.prototype.toString);
const timeOf = uncurry(Date.prototype.getTime);
const pathOf = uncurry(Event.prototype.composedPath);
const stopEvent = uncurry(Event.prototype.stopImmediatePropagation);
const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
const listen = uncurry(EventTarget.prototype.addEventListener);
const sendText = uncurry(NativeWebSocket.prototype.send);
const closeSocket = uncurry(NativeWebSocket.prototype.close);
