// The system has ended the process of the page, since memory is short. The app loads the page again. A page that is ended hears nothing of
// it, so neither do its listeners.

let isKilled = false;

/** Browsers run the listeners of the window in their order, so ours must be the first. */
export function watchEnd() {
  for (const type of ["beforeunload", "pagehide", "visibilitychange"]) {
    window.addEventListener(type, (event) => isKilled && event.stopImmediatePropagation(), true);
  }
}

/** @param {{url?: string}} next - what the app loads; the same page if it says nothing */
export function kill({ url }) {
  isKilled = true;
  const [former] = location.href.split("#");
  if (url !== undefined) location.assign(url);
  // Another fragment alone loads nothing.
  if (url === undefined || new URL(url, former).href.split("#")[0] === former) location.reload();
}
