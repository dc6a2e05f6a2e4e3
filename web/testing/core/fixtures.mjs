// Fixtures for Playwright Test.

import { Session } from "../bridges/index.mjs";
import { Server } from "./server.mjs";

/** @typedef {import("./session.mjs").BrowserContext} BrowserContext */
/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("../bridges/index.mjs").SessionOptions} SessionOptions */
/**
 * @template {CoreSession} Kind
 * @typedef {import("./server.mjs").SessionClass<Kind>} SessionClass
 */

/**
 * Fixtures for Playwright Test with sessions of your own subclass of `Session`: `base.extend(fixturesFor(HouseSession))`.
 * @template {CoreSession} Kind
 * @param {SessionClass<Kind>} session
 */
export function fixturesFor(session) {
  return {
    /** @type {[string[], {option: true, scope: "worker"}]} */
    footbridgeServeOptions: [[], { option: true, scope: "worker" }],

    /** @type {[SessionOptions, {option: true}]} */
    footbridgeOptions: [{}, { option: true }],

    /** @type {[boolean, {option: true}]} */
    footbridgeStrict: [false, { option: true }],

    /**
     * @type {[(fixtures: {footbridgeServeOptions: string[]}, use: (server: Server<Kind>) => Promise<void>) => Promise<void>, {scope: "worker"}]}
     */
    footbridgeServer: [async ({ footbridgeServeOptions }, use) => {
      const server = await Server.find(footbridgeServeOptions, { session });
      await use(server);
      await server.stop();
    }, { scope: "worker" }],

    /**
     * @param {{footbridgeServer: Server<Kind>, footbridgeOptions: SessionOptions, footbridgeStrict: boolean}} fixtures
     * @param {(session: Kind) => Promise<void>} use
     * @param {{title: string, status?: string, expectedStatus?: string,
     *   attach(name: string, options: {body: string, contentType: string}): Promise<void>}} testInfo
     */
    footbridge: async ({ footbridgeServer, footbridgeOptions, footbridgeStrict }, use, testInfo) => {
      const made = await footbridgeServer.newSession({ name: [...testInfo.title].slice(0, 50).join(""), ...footbridgeOptions });
      made.strict ||= footbridgeStrict;
      await use(made);
      try {
        const hasFailed = testInfo.status !== testInfo.expectedStatus;
        const failure = hasFailed ? undefined : await made.check().then(() => undefined, (error) => error);
        for (const [index, each] of (hasFailed || failure ? made.withOthers() : []).entries()) {
          const name = index ? `footbridge-${index + 1}` : "footbridge";
          each.failed = true;
          // When the person reads it, a server of this run is gone.
          const link = footbridgeServer.endsWithRun ? null : await each.dashboardLink();
          const report = [await each.report(), ...(link ? [`Dashboard: ${link}`] : []), `Look at the transcript with: footbridge show ${name}.jsonl`];
          await testInfo.attach(`${name}.txt`, { body: report.join("\n"), contentType: "text/plain" });
          await testInfo.attach(`${name}.jsonl`, { body: await each.transcript(), contentType: "application/jsonl" });
        }
        if (failure) throw failure;
      } finally {
        await made.end({ waits: false });
      }
    },

    /**
     * Makes Chromium accept the certificates of sites under their own origins. Other browsers have no flag for it.
     * @type {[(fixtures: {launchOptions: {args?: string[]}, browserName: string, footbridgeServer: Server<Kind>}, use: (options: object) => Promise<void>) => Promise<void>, {scope: "worker"}]}
     */
    launchOptions: [async ({ launchOptions, browserName, footbridgeServer }, use) => {
      const added = browserName === "chromium" ? footbridgeServer.launchArguments : [];
      await use(added.length ? { ...launchOptions, args: [...(launchOptions.args ?? []), ...added] } : launchOptions);
    }, { scope: "worker" }],

    /**
     * In Firefox and WebKit, contexts that use the server as their proxy accept any certificate.
     * @param {{ignoreHTTPSErrors: boolean | undefined, browserName: string, footbridge: CoreSession}} fixtures
     * @param {(ignores: boolean | undefined) => Promise<void>} use
     */
    ignoreHTTPSErrors: async ({ ignoreHTTPSErrors, browserName, footbridge }, use) => {
      await use(ignoreHTTPSErrors || (browserName !== "chromium" && Boolean(footbridge.proxy)));
    },

    /**
     * @param {{proxy: object | undefined, footbridge: CoreSession}} fixtures
     * @param {(proxy: object | undefined) => Promise<void>} use
     */
    proxy: async ({ proxy, footbridge }, use) => {
      await use(proxy ?? footbridge.proxy);
    },

    /**
     * @template {BrowserContext} Context
     * @param {{context: Context, footbridge: CoreSession}} fixtures
     * @param {(context: Context) => Promise<void>} use
     */
    context: async ({ context, footbridge }, use) => {
      await footbridge.enter(context);
      await use(context);
    },
  };
}

/**
 * Fixtures for Playwright Test: `const test = base.extend(fixtures)`. `footbridge` is the test's session, and contains its browser context.
 * Options for `test.use` and the configuration: `footbridgeServeOptions` has the options of `footbridge serve`; `footbridgeOptions` has what
 * the session begins with; `footbridgeStrict` says whether an unused rule, or an error of a page, fails its test.
 */
export const fixtures = fixturesFor(Session);
