// The linter's script. The server joins the files of this folder, and those of bridges, into one strict function. It only reports what a
// page does. The server decides what is wrong, since it knows the contracts and the earlier messages.

/** How many observations of a page are reported. */
let reportsLeft = 100;

/** @type {(data: {seen: string, names?: string[], [member: string]: unknown}) => void} */
let send = () => {};

/**
 * Reports an observation to the server.
 * @param {{seen: string, names?: string[], [member: string]: unknown}} data
 */
function report(data) {
  if (reportsLeft-- > 0) send(data);
}

/** Runs after each observation. A bridge may replace it. */
let afterwards = () => {};

/**
 * The handlers for the shim's observations, by kind.
 * @type {Record<string, (...details: any[]) => void>}
 */
const seeing = Object.create(null);
