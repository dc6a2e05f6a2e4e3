// The service worker that takes the place of one which is to be unregistered, where no page of the session can do that: the
// documents that the old one answers with have no shim. Browsers ask for it when they look whether the old one has changed.

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
