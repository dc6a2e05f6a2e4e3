// The maximum size of a message. The host closes the connection of a page that sends a longer one. Because calls outlive a
// connection, the shim would send it again and again.

import { NativeBlob, warn } from "./builtins.js";

/**
 * Warns in the console about a message that is too long.
 * @param {string} name - the function or handler that the page has called
 * @param {string} text
 * @param {number} limit - the maximum size in bytes
 * @returns {string | undefined} what is wrong; undefined if the shim can send the message
 */
export function lengthProblem(name, text, limit) {
  // One unit of a string takes at most three bytes.
  if (text.length * 3 <= limit || new NativeBlob([text]).size <= limit) return;
  const problem = `A message may have ${limit} bytes, and this one has more.`;
  warn(`Footbridge: ${name} was not sent to the host. ${problem}`);
  return problem;
}
