// How long a message may be. The host closes the connection of a page that sends a longer one, and since calls outlive a
// connection, it would be sent again and again.

/**
 * Tells the developer of a message that is too long to be sent.
 * @param {string} name - what it would have called
 * @param {string} text
 * @param {number} limit - how many bytes it may have
 * @returns {string | undefined} what is wrong; nothing where the message can be sent
 */
function lengthProblem(name, text, limit) {
  // What takes one unit in a string takes three bytes at most.
  if (text.length * 3 <= limit) return;
  const count = text.length > limit ? text.length : new NativeBlob([text]).size;
  if (count <= limit) return;
  const problem = `A message may have ${limit} bytes, and this one has more.`;
  warn(`Footbridge: ${name} was not sent to the host. ${problem}`);
  return problem;
}
