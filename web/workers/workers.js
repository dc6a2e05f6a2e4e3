// Finds or unregisters the service workers of the page's origin. The shim loads this script when the host asks for it; the query of
// its address is the task.

(async () => {
  /** @type {{tell(action: string, data: object): void} | undefined} */
  const host = /** @type {any} */ (document)[Symbol.for("footbridge")];
  const task = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src).searchParams.get("task");
  /** The most documents to check in the caches, and to report. */
  const [lookLimit, tellLimit] = [500, 20];

  /** Reports the documents in the workers' caches that have no shim. */
  async function look() {
    /** @type {string[]} */
    const documents = [];
    let count = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (++count > lookLimit || documents.length >= tellLimit) break;
        const answer = await cache.match(request);
        if (!/^text\/html\b/i.test(answer?.headers.get("Content-Type") ?? "") || new URL(request.url).origin !== location.origin) continue;
        const text = await answer?.text() ?? "";
        // A fragment has no shim in any case.
        if (!text.includes("data-footbridge-ticket") && /^\uFEFF?(?:\s|<!--[^]*?-->)*<(?:!doctype|html)\b/i.test(text)) {
          documents.push(new URL(request.url).pathname);
        }
      }
    }
    if (!documents.length) return;
    console.warn("Footbridge: a service worker keeps documents from before Footbridge was at this address. Where it answers with them, "
      + "pages have no native host. Unregister it and delete its caches:", documents);
    host?.tell("workers.kept", { documents });
  }

  /** Unregisters all workers, and deletes the caches, which the next worker would use again. */
  async function unregister() {
    const workers = [];
    const names = [];
    for (const registration of await navigator.serviceWorker?.getRegistrations() ?? []) {
      if (await registration.unregister()) workers.push(registration.scope);
    }
    for (const name of await self.caches?.keys() ?? []) if (await caches.delete(name)) names.push(name);
    return { workers, caches: names };
  }

  if (task === "look") {
    if (navigator.serviceWorker && (await navigator.serviceWorker.getRegistrations()).length) await look();
  } else {
    // A browser that stores nothing for the page, as in a sandbox, throws.
    host?.tell("workers.unregistered", await unregister().catch(({ message }) => ({ problem: `${message}` })));
  }
})();
