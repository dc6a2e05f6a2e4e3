// Evaluates what native has for the page. It runs as a script element with the document's nonce, which the page's policy allows. As in WebKit, it
// is a script of the page: its `const`, `let` and `class` are global, and later scripts see them. The shim loads this file when it is needed.

const host = /** @type {any} */ (document)[Symbol.for("footbridge")];

/**
 * What the shim gives: the nonce of the document, and a function that makes texts trusted.
 * @typedef {{nonce?: string, trusted: typeof import("../shim/trusted.js").trusted}} Means
 */

/**
 * The scripts that run now, outermost first: one can have the page call native, which evaluates another.
 * @type {{isDone: boolean, value?: unknown, means: Means, errors: any[]}[]}
 */
const running = [];
const current = () => running[running.length - 1];

/** The place of two functions that scripts of ours call. */
const own = 'document[Symbol.for("footbridge")]';
/** Ends a script, with its value. */
host.done = (/** @type {unknown} */ value) => Object.assign(current(), { isDone: true, value });
/** Evaluates the last statement of a script, which is no expression. */
host.last = (/** @type {string} */ statement) => (0, eval)(/** @type {any} */ (current().means.trusted(statement, "createScript")));

/** Takes an error before the page does. An error of the page's own that a script has caused is reported when the script has ended. */
host.noteError = (/** @type {ErrorEvent} */ event) => {
  if (!running.length) return;
  current().errors.push(event.error);
  event.stopImmediatePropagation();
  event.preventDefault();
};

/**
 * Runs a script. An observer of the page does not see its element.
 * @param {string} text
 * @param {Means} means
 */
function runScript(text, means) {
  const script = { isDone: false, means, errors: /** @type {any[]} */ ([]), value: /** @type {unknown} */ (undefined) };
  const element = document.createElement("script");
  element.nonce = means.nonce;
  element.textContent = means.trusted(text, "createScript");
  const place = document.createElement("div");
  running.push(script);
  try {
    document.documentElement.append(place);
    place.attachShadow({ mode: "closed" }).append(element);
  } finally {
    running.pop();
    place.remove();
  }
  return script;
}

/** Matches white space and comments. */
const blank = String.raw`(?:\s|//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;
const leadingBlank = new RegExp(`^${blank}`);
const ending = new RegExp(`;${blank}$`);
/** Matches strings and comments, which may contain what ends a statement, and else one bracket or end. */
const tokens = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/|[;\n()[\]{}]/g;
/** How many characters may be parsed to find the last statement of a script. */
const mostParsed = 5e6;

/**
 * Finds the last statement of a script, and whether it is an expression.
 * @param {string} text
 * @param {(body: string) => boolean} isProgram
 * @returns {[before: string, statement: string, isExpression: boolean] | undefined} undefined if the last statement declares something
 */
function lastStatement(text, isProgram) {
  let parsed = 0;
  const parses = (/** @type {string} */ body) => {
    parsed += body.length;
    return isProgram(body);
  };
  // A statement ends after these characters. Places outside of all brackets come first, the last one before the others.
  const places = [[0], /** @type {number[]} */ ([])];
  let depth = 0;
  for (const { 0: token, index = 0 } of text.matchAll(tokens)) {
    if (")]}".includes(token)) depth--;
    else if ("([{".includes(token)) depth++;
    if (";}\n".includes(token)) places[depth ? 1 : 0].splice(depth ? 0 : 1, 0, index + 1);
  }
  for (const at of places.flat()) {
    if (parsed > mostParsed) {
      console.warn("Footbridge: the value of this script is undefined, for it is too long. Assign the value, and evaluate the variable.");
      return;
    }
    const before = text.slice(0, at);
    const statement = text.slice(at);
    const start = statement.replace(leadingBlank, "");
    if (!start || !parses(`${before}do ${statement}\nwhile(0)`) || !parses(before)) continue;
    // Such a line continues an expression.
    if ("([`+-/".includes(start[0]) && at && parses(`${before}\n.x`)) continue;
    if (/^var\b/.test(start)) return;
    const expression = [statement, statement.replace(ending, "")].find((text) => parses(`(${text}\n)`));
    return [before, expression ?? statement, expression !== undefined && start[0] !== "{"];
  }
}

/**
 * Whether the page's policy allows `eval`.
 * @param {Means} means
 */
function mayEval(means) {
  try {
    return (0, eval)(/** @type {any} */ (means.trusted("0", "createScript"))) === 0;
  } catch {
    return false;
  }
}

/**
 * A script that gives its value, which is that of its last statement; undefined if it has none.
 * @param {string} text
 * @param {Means} means
 */
function scriptWithValue(text, means) {
  // The browser's parser decides, so nothing runs.
  const isProgram = (/** @type {string} */ body) => runScript(`(function(){${body}\n});${own}.done()`, means).isDone;
  const [before, statement, isExpression] = lastStatement(text, isProgram) ?? [];
  if (isExpression) return `${before}${own}.done((${statement}\n))`;
  if (statement && mayEval(means)) return `${before}${own}.done(${own}.last(${JSON.stringify(statement)}))`;
  if (statement) console.warn("Footbridge: the value of this script is undefined. Its last statement is no expression, and the page's policy forbids eval.");
}

/**
 * Evaluates a script, and returns its value if anybody wants to know it.
 * @throws what the script throws, also if it is no script
 */
host.evaluate = (/** @type {string} */ text, /** @type {boolean} */ isAsked, /** @type {Means} */ means) => {
  const { isDone, value, errors } = runScript((isAsked && scriptWithValue(text, means)) || `${text}\n;${own}.done()`, means);
  const [error] = isDone ? [] : errors.splice(-1);
  errors.forEach(reportError);
  if (isDone) return value;
  // Chromium says in the text of a SyntaxError by which function the script came.
  if (error instanceof SyntaxError) error.message = error.message.replace(/^Failed to execute 'append' on '\w+': /, "");
  throw error ?? new Error("The page's Content-Security-Policy has not allowed the script.");
};
