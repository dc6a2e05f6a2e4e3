// What `webdriver_page.py` runs in pages. Finds elements by role and name, also in open shadow trees.

const later = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Answers with the result of a function as a JSON text, or with the error. */
async function settle(act, list, answer) {
  try {
    const text = JSON.stringify(await act(...list));
    answer(["value", text === undefined ? null : text]);
  } catch (error) {
    answer(["error", `thrown: ${error}`]);
  }
}

/** Evaluates an expression, a function or statements in the page's own world. Functions get the argument. */
function evaluate(source, ...list) {
  let value;
  try {
    value = window.eval(`(${source}\n)`);
  } catch (error) {
    if (error.name !== "SyntaxError") throw error;
    value = window.eval(source);
  }
  return typeof value === "function" ? value(...list) : value;
}

/** Calls a function of this file until it returns something true, for so long. */
async function until(name, list, milliseconds) {
  const act = { evaluate, isLoaded, isVisible, place, focus, empty, isThere, fits }[name];
  // A document that has been replaced has no clock.
  const now = () => performance?.now() ?? Infinity;
  for (const end = now() + milliseconds; ; await later(20)) {
    const value = await act(...list);
    if (value) return name === "evaluate" ? true : value;
    if (now() >= end) return false;
  }
}

/** Waits until the window has a size, which a resize gives it later, if at all. */
async function untilSize(width, height, answer) {
  const hasSize = () => innerWidth === width && innerHeight === height;
  for (const end = performance.now() + 5000; !hasSize() && performance.now() < end;) await later(20);
  answer(hasSize());
}

const countFrames = () => window.length;
const isLoaded = () => document.readyState === "complete";

const addScript = url => new Promise((resolve, reject) => document.head.append(
  Object.assign(document.createElement("script"), { src: url, onload: () => resolve(), onerror: () => reject(new Error(url)) })));

const oneSpace = text => text.replace(/\s+/g, " ").trim();
const matches = (text, wanted, exact) => wanted === null || wanted === undefined
  || (typeof wanted === "object" ? new RegExp(wanted.source, wanted.flags).test(text)
    : exact ? text === oneSpace(wanted) : text.toLowerCase().includes(oneSpace(wanted).toLowerCase()));

function* descendants(root) {
  if (root.shadowRoot) yield* descendants(root.shadowRoot);
  for (const element of root.children) {
    yield element;
    yield* descendants(element);
  }
}

function roleOf(element) {
  const role = element.getAttribute("role");
  if (role) return role;
  switch (element.localName) {
    case "a": return element.hasAttribute("href") ? "link" : "";
    case "input": return { radio: "radio", checkbox: "checkbox", number: "spinbutton", button: "button", submit: "button", file: "", hidden: "" }[element.type] ?? "textbox";
    case "select": return "combobox";
    case "fieldset": return "group";
    case "canvas": return "";
    default: return { button: "button", dialog: "dialog", textarea: "textbox", img: "img", ul: "list", li: "listitem", output: "status" }[element.localName]
      ?? (/^h[1-6]$/.test(element.localName) ? "heading" : "");
  }
}

function labelOf(element) {
  const root = element.getRootNode();
  const ids = element.getAttribute("aria-labelledby");
  if (ids) return oneSpace(ids.split(/\s+/).map(id => root.getElementById(id)?.textContent ?? "").join(" "));
  if (element.hasAttribute("aria-label")) return oneSpace(element.getAttribute("aria-label"));
  if (element.labels?.length) return oneSpace([...element.labels].map(label => label.textContent).join(" "));
  if (element.localName === "fieldset") return oneSpace(element.querySelector("legend")?.textContent ?? "");
  return oneSpace(element.getAttribute("alt") ?? "");
}

const nameOf = element => labelOf(element) || (/^(button|link|heading|listitem)$/.test(roleOf(element)) ? oneSpace(element.textContent) : "")
  || oneSpace(element.getAttribute("title") ?? "");

function visible(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

/** The elements that fit the steps of a locator. */
function find(steps, root = document) {
  let found = [root];
  for (const step of steps) {
    if ("nth" in step) found = found.slice(step.nth, step.nth + 1 || undefined);
    else if ("inner" in step) found = found.filter(element => find(step.inner, element).length && matches(oneSpace(element.textContent), step.has));
    else {
      const next = new Set();
      for (const root of found) {
        for (const element of descendants(root)) {
          if ("css" in step ? element.matches(step.css) && matches(oneSpace(element.textContent), step.has)
            : "role" in step ? roleOf(element) === step.role && element.checkVisibility({ visibilityProperty: true }) && matches(nameOf(element), step.name, step.exact)
            : "label" in step ? labelOf(element) && matches(labelOf(element), step.label, step.exact)
            : !element.children.length && !document.head.contains(element) && matches(oneSpace(element.textContent), step.text, step.exact)) next.add(element);
        }
      }
      found = [...next];
    }
  }
  return found;
}

const texts = steps => find(steps).map(element => element.textContent);
const count = steps => find(steps).length;

/** The one element that fits; undefined if there is none yet. */
function one(steps) {
  const found = find(steps);
  if (found.length > 1) throw new Error(`${found.length} elements fit ${JSON.stringify(steps)}`);
  return found[0];
}

const isThere = steps => Boolean(one(steps));
const isVisible = steps => { const element = one(steps); return Boolean(element && visible(element)); };

function elementAt(x, y) {
  let element = document.elementFromPoint(x, y);
  for (let inner; element?.shadowRoot && (inner = element.shadowRoot.elementFromPoint(x, y)) && inner !== element;) element = inner;
  return element;
}

/** The place of an element in the window, once it can be clicked there: it does not move, and nothing is above it. */
async function place(steps) {
  const element = one(steps);
  if (!element || !visible(element)) return;
  const before = element.getBoundingClientRect();
  if (before.top < 0 || before.bottom > innerHeight) element.scrollIntoView({ block: "center", behavior: "instant" });
  await later(50);
  const { left, top, width, height } = element.getBoundingClientRect();
  if (left !== before.left || top !== before.top) return;
  const x = left + width / 2, y = top + height / 2;
  const hit = elementAt(x, y);
  const label = element.closest("label") ?? element;
  return hit && (element.contains(hit) || label.contains(hit) || hit === element.getRootNode().host) ? [x, y] : undefined;
}

function focus(steps) {
  const element = one(steps);
  element?.focus();
  return Boolean(element);
}

function empty(steps) {
  const element = one(steps);
  if (!element) return false;
  element.focus();
  element.select();
  return true;
}

const evaluateWith = (steps, source, argument) => evaluate(source, one(steps), argument);

/** Whether what an expectation says is so. */
function fits(steps, what, wanted, is) {
  const checks = {
    count: () => find(steps).length === wanted,
    visible: () => isVisible(steps),
    texts: () => JSON.stringify(texts(steps).map(oneSpace)) === JSON.stringify(wanted),
    text: () => { const element = one(steps); return element ? oneSpace(element.innerText || element.textContent) === wanted : false; },
    "part of text": () => { const element = one(steps); return element ? matches(oneSpace(element.textContent), wanted) : !is; },
    value: () => one(steps)?.value === wanted,
    checked: () => one(steps)?.checked === true,
    focused: () => { const element = one(steps); return Boolean(element) && element.getRootNode().activeElement === element; },
    name: () => { const element = one(steps); return Boolean(element) && matches(nameOf(element), wanted, true); },
  };
  return checks[what]() === is;
}
