// A rule as a text to copy: YAML for footbridge.yaml, and a line for a test in Python and in JavaScript.

/**
 * A rule, with the members of the control API.
 * @typedef {{on: string, bridge?: string, where?: Record<string, any>, times?: any, then: Record<string, any>}} RuleMembers
 */

/**
 * The forms of a rule that can be copied, each with its label.
 * @type {{label: string, write: (rule: RuleMembers) => string}[]}
 */
export const FORMS = [
  { label: "YAML", write: yaml }, { label: "pytest", write: python }, { label: "JavaScript", write: javaScript },
];

/**
 * The rule as an element of `rules`, or of a scenario, in footbridge.yaml.
 * @param {RuleMembers} rule
 */
export function yaml(rule) {
  const { on, bridge, where, times, then } = essence(rule);
  const members = Object.entries({ on, bridge, where, times, then }).filter(([, value]) => value !== undefined);
  return `${members.map(([name, value], index) => `${index === 0 ? "-" : " "} ${name}: ${yamlValue(value)}`).join("\n")}\n`;
}

/**
 * The rule as a statement of a test with the kit for pytest.
 * @param {RuleMembers} rule
 */
export function python(rule) {
  const { on, where, times, then, ...others } = essence(rule);
  // `when` has no member for the bridge.
  if (others.bridge !== undefined) return `footbridge.post("/rules", ${pythonValue({ on, ...others, where, times, then })})\n`;
  const which = [pythonValue(on), ...(where ? [`where=${pythonValue(where)}`] : []), ...(times ? [`times=${pythonValue(times)}`] : [])];
  const [name, values] = method(then);
  const call = name === "does"
    ? Object.entries(then).map(([member, value]) => `${member}=${pythonValue(value)}`)
    : values.map((value, index) => index === 1 ? `up_to=${pythonValue(value)}` : pythonValue(value));
  const words = name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  return `${name === "gate" ? "gate = " : ""}footbridge.when(${which.join(", ")}).${words}(${call.join(", ")})\n`;
}

/**
 * The rule as a statement of a test with the kit for JavaScript.
 * @param {RuleMembers} rule
 */
export function javaScript(rule) {
  const { on, where, times, then, ...others } = essence(rule);
  if (others.bridge !== undefined) {
    return `await footbridge.request("POST", "/rules", ${scriptValue({ on, ...others, where, times, then })});\n`;
  }
  const options = where || times ? [scriptValue({ where, times })] : [];
  const [name, values] = method(then);
  const call = name === "does" ? [then] : values;
  return `${name === "gate" ? "const gate = " : ""}await footbridge.when(${[scriptValue(on), ...options].join(", ")})`
    + `.${name}(${call.map(scriptValue).join(", ")});\n`;
}

/**
 * The rule without its counters and without default values.
 * @param {RuleMembers} rule
 * @returns {RuleMembers}
 */
function essence({ on, bridge, where, times, then }) {
  return {
    on, ...(bridge === undefined ? {} : { bridge }), ...(where && Object.keys(where).length > 0 ? { where } : {}),
    ...(times === undefined || times === "once" ? {} : { times }), then,
  };
}

/** The outcomes that say all with their name. */
const FLAGS = ["cutSocket", "kill", "drop", "double", "reorder", "unknownId"];

/**
 * The method of the kits for an outcome, and its arguments. `does` takes the outcome itself.
 * @param {Record<string, any>} then
 * @returns {[string, unknown[]]}
 */
function method(then) {
  const [[name, value] = ["", null], ...others] = Object.entries(then);
  if (others.length > 0) return ["does", []];
  if (name === "result") return ["returns", value === null ? [] : [value]];
  if (name === "error") return ["fails", [value]];
  if (name === "delay") return ["delay", typeof value === "number" ? [value] : [value.from ?? 0, value.to]];
  if (name === "gate" || name === "raw") return [name, [value]];
  return FLAGS.includes(name) && value === true ? [name, []] : ["does", []];
}

/** A text that YAML reads as itself without quotes. */
const PLAIN = /^[A-Za-z][\w.-]*$/u;
/** Texts that YAML would read as something else, whatever their case. */
const WORDS = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/**
 * @param {any} value
 * @returns {string}
 */
function yamlValue(value) {
  if (typeof value === "string") return PLAIN.test(value) && !WORDS.includes(value.toLowerCase()) ? value : quoted(value);
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  if (value === null || typeof value !== "object") return String(value ?? null);
  const members = Object.entries(value).map(([name, member]) => `${yamlValue(name)}: ${yamlValue(member)}`);
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}

/**
 * @param {any} value
 * @returns {string}
 */
function pythonValue(value) {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (value === null || typeof value !== "object") return value === null ? "None" : String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${quoted(name)}: ${pythonValue(member)}`).join(", ")}}`;
}

/**
 * @param {any} value
 * @returns {string}
 */
function scriptValue(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(scriptValue).join(", ")}]`;
  if (value === null || typeof value !== "object") return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // A literal with a member of this name would set the prototype.
  const key = (/** @type {string} */ name) => name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quoted(name);
  return members.length > 0 ? `{ ${members.map(([name, member]) => `${key(name)}: ${scriptValue(member)}`).join(", ")} }` : "{}";
}

/**
 * A text in double quotes, with escapes that JSON, YAML, Python and JavaScript share. Invisible characters are escaped.
 * @param {string} text
 */
const quoted = (text) => JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu,
  (character) => [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""));
