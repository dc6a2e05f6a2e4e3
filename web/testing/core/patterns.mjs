// Patterns for members of which a test does not know, or does not care for, the whole value.

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
 * A text in which this regular expression of POSIX is found.
 * @param {string} expression
 */
export const matches = (expression) => ({ $matches: expression });
