// What the server says of its bridges and of the actions that rules can name.

/** @typedef {import("./api.js").API} API */

/**
 * An action: the member of its answers that is the result, and the errors that it can have, if the bridge names them.
 * @typedef {{name: string, result?: string, errors?: string[]}} Action
 */

/**
 * A bridge that is switched on.
 * @typedef {object} Bridge
 * @property {string} name
 * @property {boolean} declared - in footbridge.yaml or for the session
 * @property {string | null} prefix - of its actions; null if its pages name them as they like
 * @property {boolean} values - whether its messages and answers are values of any kind, in the member `value` of the data
 * @property {Action[]} actions - that rules can name
 */

/**
 * Reads the bridges of a session, or of the server.
 * @param {API} api
 * @param {string} path - of the session; empty for the server
 * @returns {Promise<Bridge[]>}
 */
export async function readBridges(api, path) { return (await api.get(`${path}/bridges`)).bridges; }

/**
 * The actions of all these bridges.
 * @param {Bridge[]} bridges
 */
export const actionsOf = (bridges) => bridges.flatMap(({ actions }) => actions);

/**
 * The bridge whose prefix an action has; undefined if there is none.
 * @param {Bridge[]} bridges
 * @param {string} action
 */
export const bridgeOf = (bridges, action) => bridges.find(({ prefix }) => prefix && action.startsWith(prefix));
