// The linter's script. The server joins its files, with those of bridges, into one strict function. It only reports what a
// page does. The server decides what is wrong, since it knows the contracts and the earlier messages.

/** How many observations of a page are reported. */
let reportsLeft = 100;

/** What the shim shares with this script. */
export const shim = /** @type {any} */ (document)[Symbol.for("footbridge")];

/**
 * Reports an observation to the server.
 * @param {{seen: string, names?: string[], [member: string]: unknown}} data
 */
export function report({ names, ...data }) {
  if (reportsLeft-- <= 0) return;
  // Without prototypes, no `toJSON` of the page runs.
  const list = names && Object.setPrototypeOf([...names], null);
  shim?.tell("lint", { __proto__: null, ...data, names: list });
}

/**
 * Run after each observation.
 * @type {(() => void)[]}
 */
export const afterwards = [];

/**
 * The handlers for the shim's observations, by kind.
 * @type {Record<string, (...details: any[]) => void>}
 */
export const seeing = Object.create(null);
