// Finds the API that an error is about: `navigator.vibrate is not a function`, in the words of each engine.

/** What an expression can have before a member of the global object. */
const globals = ["window", "self", "globalThis", "top", "parent"];

/** The shortest name of a member of many objects that is unlikely to be the page's own. */
const shortestName = 8;

/**
 * The missing APIs by their last names.
 * @type {Map<string, string[]>}
 */
const missing = new Map();
for (const path of Object.keys(phone.lacks)) {
  const name = path.slice(path.lastIndexOf(".") + 1);
  missing.set(name, [...missing.get(name) ?? [], path]);
}

/**
 * Whether an expression has a name of an interface's instance, or one of a minified script.
 * @param {string} word
 * @param {string} owner
 */
const isInstance = (word, owner) => word.length <= 2 || word.toLowerCase() === owner.toLowerCase();

/**
 * Whether another interface of the browser has a member with this name.
 * @param {string} name
 */
function isCommon(name) {
  return Object.getOwnPropertyNames(window).some((each) => {
    const prototype = /^[A-Z]/.test(each) && Object.getOwnPropertyDescriptor(window, each)?.value?.prototype;
    return prototype && Object.hasOwn(prototype, name);
  });
}

/** Interfaces with one instance, which has their name. */
const single = /^(Navigator|Document|Screen|Performance|MediaDevices|Clipboard|CSS)$/;

/**
 * Returns the missing API that an expression names; undefined if there is none.
 * @param {string} expression - such as `navigator.bluetooth.requestDevice`
 */
export function missingIn(expression) {
  const words = expression.split(".");
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    for (const path of missing.get(word) ?? []) {
      const [owner, member] = path.split(".");
      if (!member) {
        if (before === undefined || globals.includes(before)) return path;
      } else if (before === undefined) {
        continue;
      } else if (member !== "prototype" || single.test(owner)) {
        if (isInstance(before, owner)) return path;
      } else if (word.length >= shortestName && /[A-Z]/.test(word) && !isCommon(word)) {
        return path;
      }
    }
  }
}

/**
 * Returns the missing API whose member some code uses, as in `navigator.bluetooth.requestDevice`; undefined if it also uses a member with this
 * name of something else.
 * @param {string} code
 * @param {string} member
 */
function missingBefore(code, member) {
  const uses = new RegExp(`([\\w$.]*)\\s*\\.\\s*${member.replace(/\$/g, "\\$")}\\b`, "g");
  const paths = Array.from(code.matchAll(uses), ([, expression]) => missingIn(expression));
  return paths.every(Boolean) ? paths[0] : undefined;
}

/** The messages of engines, with the expression in them. */
const messages = [
  /(?:^|: )([\w$]+) is not defined$/,
  /Can't find variable: ([\w$]+)/,
  /evaluating '(?:new )?([\w$.]+)/,
  /([\w$.]+) is not a (?:function|constructor)/,
  /([\w$.]+) is (?:undefined|null)$/,
];

/**
 * Returns the missing API that the message of an error is about; undefined if there is none.
 * @param {string} message
 * @param {string} code - where the error may be: Chromium names only the member of what is undefined
 */
export function missingInMessage(message, code) {
  for (const pattern of messages) {
    const expression = pattern.exec(message)?.[1];
    const path = expression && missingIn(expression);
    if (path) return path;
  }
  const member = /Cannot read properties of undefined \(reading '([\w$]+)'\)/.exec(message)?.[1];
  return member && missingBefore(code, member);
}
