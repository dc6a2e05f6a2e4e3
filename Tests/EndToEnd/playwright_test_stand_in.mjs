// Stands in for @playwright/test if it cannot be downloaded: it has as much as Examples/ci/playwright and the manual need. As the original, it finds fixtures by
// the names that a function destructures. Run as a program, it runs the tests of the folder.

import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** @type {{title: string, body: Function, layers: object[]}[]} */
const tests = [];
/** What the files of tests set. */
const used = {};

const builtIn = {
  launchOptions: [{ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] }, { option: true, scope: "worker" }],
  proxy: [undefined, { option: true }],
  browserName: ["chromium", { option: true, scope: "worker" }],
  ignoreHTTPSErrors: [false, { option: true }],
  browser: [async ({ launchOptions }, use) => {
    // The other browsers are not here. Chromium stands in for them, so it gets what they would get.
    const browser = await chromium.launch(launchOptions);
    await use(browser);
    await browser.close();
  }, { scope: "worker" }],
  context: async ({ browser, proxy, ignoreHTTPSErrors }, use) => {
    const context = await browser.newContext({ proxy, ignoreHTTPSErrors });
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
};

function makeTest(layers) {
  const test = (title, body) => tests.push({ title, body, layers });
  test.use = (options) => void Object.assign(used, options);
  test.extend = (fixtures) => makeTest([...layers, fixtures]);
  return test;
}

export const test = makeTest([builtIn]);
export const defineConfig = (config) => config;

export const expect = (locator) => ({ toBeVisible: () => locator.waitFor({ timeout: 5000 }) });

const needs = (body) => [.../^async \(\{([^}]*)\}/u.exec(String(body))[1].split(",")].map((name) => name.trim()).filter(Boolean);

/** Runs `body` with the fixtures that it needs. A fixture that needs its own name gets that of the layer below. */
async function withFixtures(body, layers, made, options, info) {
  const ended = [];
  const value = async (name, below) => {
    const level = layers.findLastIndex((layer, index) => index < below && name in layer);
    const key = `${level} ${name}`;
    if (key in made) return made[key];
    const definition = layers[level][name];
    const [fixture, { option = false } = {}] = Array.isArray(definition) && typeof definition[1] === "object" ? definition : [definition];
    if (option) return made[key] = options[name] ?? fixture;
    const given = {};
    for (const needed of needs(fixture)) given[needed] = await value(needed, needed === name ? level : layers.length);
    let end;
    await new Promise((used, failed) => {
      const running = fixture(given, (result) => {
        made[key] = result;
        used();
        return new Promise((resolve) => { end = resolve; });
      }, info).catch(failed);
      ended.unshift(() => { end(); return running; });
    });
    return made[key];
  };
  const given = {};
  for (const name of needs(body)) given[name] = await value(name, layers.length);
  try {
    await body(given);
    info.status = "passed";
  } finally {
    for (const end of ended) await end();
  }
}

async function runAll() {
  const { default: config } = await import(pathToFileURL(resolve("playwright.config.js")).href);
  for (const file of (await readdir(".")).filter((name) => name.endsWith(".spec.js"))) await import(pathToFileURL(resolve(file)).href);
  for (const { title, body, layers } of tests) {
    const info = { title, status: "failed", expectedStatus: "passed", attach: async (name, { body: text }) => console.log(name, text) };
    await withFixtures(body, layers, {}, { ...config.use, ...used }, info);
    console.log(`passed: ${title}`);
  }
}

// Not awaited: the configuration imports this module.
if (process.argv[1] === import.meta.filename) runAll();
