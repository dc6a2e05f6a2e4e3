// Farcaster Mini Apps, as in the app for phones: calls by comlink over ReactNativeWebView, and events of the document.
// Source: farcasterxyz/miniapps (f37b67f), packages/miniapp-sdk 0.3.0: src/endpoint.ts and sdk.ts; packages/miniapp-host-react-native 0.2.0: src/webview.ts; packages/miniapp-host 0.3.0: src/comlink/comlink.ts and helpers/sdk.ts
// Plays: the context and the calls of the SDK, by their names; signIn, addMiniApp and signManifest with the refusals that the SDK knows; events of the app and of wallets
// Not played: the page in a frame of the web client; wallets and signatures that can be verified: ethProviderRequestV2 and the like are messages
// Ran: @farcaster/miniapp-sdk 0.3.0; comlink 4.4.2

import { dispatch, isArray, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn } from "../guarded.js";
import { callPath, ordinary, readText, reasons } from "../shim.js";

/** The calls whose answer says whether the person has agreed, with the refusals that the SDK knows. */
/** @type {Record<string, string[]>} */
const refusals = {
  signIn: ["rejected_by_user"], addFrame: ["rejected_by_user", "invalid_domain_manifest"],
  addMiniApp: ["rejected_by_user", "invalid_domain_manifest"], signManifest: ["rejected_by_user", "invalid_domain", "generic_error"],
};

presets.farcaster = (native) => {
  const { context } = native.options;
  const say = (/** @type {string} */ type, /** @type {unknown} */ data) =>
    void inTurn(() => dispatch(document, new MessageEvent(type, { data })));
  native.channel("ReactNativeWebView", {}, (text) => {
    const { id, type, path, argumentList } = ordinary(readText(text)) ?? {};
    if (!isArray(path) || path.length !== 1 || typeof path[0] !== "string") return;
    const [name] = path;
    const answer = (/** @type {object} */ value) => say("FarcasterFrameCallback", { ...value, id });
    const resolve = (/** @type {unknown} */ value) => answer({ type: "RAW", value });
    const reject = (/** @type {string} */ message) =>
      answer({ type: "HANDLER", name: "throw", value: { isError: true, value: { message, name: "Error", stack: message } } });
    if (type === "GET" ? name !== "context" : type !== "APPLY") return reject(`Unsupported ${type} for ${name}`);
    if (type === "GET" && context !== undefined) return resolve(context);
    const values = isArray(argumentList) ? argumentList.map((argument) => argument?.value) : [];
    const refused = refusals[name];
    native.send(name, values.length > 1 ? values : values[0] ?? null).then(
      (value) => value !== undefined && resolve(refused ? { result: value } : value),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        const { message, type } = typeof reason === "object" ? reason : { message: error.message, type: error.message };
        if (refused?.includes(type)) resolve({ error: type === message ? { type } : { type, message } });
        else reject(message ?? type);
      }).catch(reportUncaught);
  });
  const { ReactNativeWebView } = /** @type {any} */ (window).webkit.messageHandlers;
  native.object("ReactNativeWebView", { postMessage: (/** @type {unknown} */ text) => void ReactNativeWebView.postMessage(`${text}`) });
  native.onCall((path, list) => {
    if (path[0] === "ethProvider" && path.length === 2) return say("FarcasterFrameEthProviderEvent", { event: path[1], params: list });
    // An event, unless the page has a function of this name.
    if (path.length > 1 || typeof (/** @type {any} */ (window)[path[0]]) === "function") return callPath(path, list);
    say("FarcasterFrameEvent", { event: path[0], ...list[0] });
  });
};
