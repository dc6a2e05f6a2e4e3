// What the parts of the shim give each other, whichever of them a page has.

import { create } from "./builtins.js";

/**
 * Take the host's messages to the shim itself, by their actions.
 * @type {Record<string, (data: any, message: import("./connection.js").Message) => void>}
 */
export const listeners = create(null);

/**
 * What a part may set.
 * @typedef {object} Hooks
 * @property {() => Promise<unknown>} [before] - finds out what the greeting to the host needs. The shim calls it when there is a connection,
 *   so the page's own scripts run first
 * @property {() => void} [hello] - runs after each greeting, before the shim sends possibly lost messages again
 * @property {(message: import("./connection.js").Message) => void} [deliver] - takes messages of the bridge whose messages the page makes itself
 * @property {(value: unknown) => void} [post] - sends a message that the page has made itself: an envelope, or an attempt at one
 * @property {() => void} [used] - runs when the page reads `messageHandlers`
 * @property {() => boolean} [isOpen] - tells whether the page can take messages early: it has assigned a callback
 * @property {() => void} [listen] - adds listeners to the window and the document; see `relisten.js`
 * @property {() => void} [leave] - while the page leaves: sends what has no answer yet, in a request that outlives the page
 * @property {(address: string, kind: {frame: boolean, newWindow: boolean}) => boolean} [takeNavigation] - handles an address as a message; returns
 *   whether it is one
 * @property {import("../bridges/declared/adapters.js").Native["navigation"]} [takeNavigations] - has navigations be messages
 * @property {(bridge: import("../bridges/declared/shim.js").DeclaredConfiguration) => void} [addObjects] - puts the objects of a declared
 *   bridge into the window
 * @property {(bridge: import("../bridges/declared/shim.js").DeclaredConfiguration, name: string,
 *   members: Record<string, import("../bridges/declared/objects.js").DeclaredMember>) => object} [makeClass] - makes a class of a declared bridge
 * @property {(name: string) => object | undefined} [instance] - returns an instance of such a class
 * @property {(bridge: import("../bridges/declared/shim.js").DeclaredConfiguration,
 *   form: {decode?: import("../bridges/declared/codings.js").Coding[], encode?: import("../bridges/declared/codings.js").Coding[]},
 *   value: unknown, send: (value: unknown) => unknown) => any} [transcode] - reads the messages in what has come to a declared bridge, sends
 *   each, and writes the answer
 * @property {(bridge: import("../bridges/declared/shim.js").DeclaredConfiguration, value: unknown) => unknown} [encode] - writes what native
 *   gives to the page
 * @property {(bridge: import("../bridges/declared/shim.js").DeclaredConfiguration) => void} [adapt] - runs the adapters of a declared bridge
 */

/** @type {Hooks} */
export const hooks = create(null);

/**
 * What the shim shares with the other scripts of ours. See `sheets.js`.
 * @type {import("./sheets.js").SheetHost}
 */
export const sheetHost = /** @type {any} */ ({});
