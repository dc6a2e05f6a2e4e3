// A service worker that replaces one that must be unregistered. It is needed when no page of the session can do that, because the
// old one's documents have no shim. Browsers load it when they check the old one for updates.

addEventListener("install", () => /** @type {any} */ (self).skipWaiting());
addEventListener("activate", (event) => /** @type {any} */ (event).waitUntil((async () => {
  /** @type {any} */
  const worker = self;
  for (const name of await caches.keys()) await caches.delete(name);
  const pages = await worker.clients.matchAll({ type: "window" });
  await worker.registration.unregister();
  console.warn("Footbridge: a program has unregistered this service worker and deleted its caches.");
  for (const page of pages) page.navigate(page.url).catch(() => {});
})()));
