// Patterns for members whose whole value a test does not know or does not check.

/** The member is there, with any value. */
export const anything = { $any: true };

/** There is no such member. */
export const absent = { $absent: true };

/**
 * A text that contains `part`, or a list with an element that matches it.
 * @param {unknown} part
 */
export const contains = (part) => ({ $contains: part });

/**
 * A text that matches this POSIX regular expression.
 * @param {string} expression
 */
export const matches = (expression) => ({ $matches: expression });
