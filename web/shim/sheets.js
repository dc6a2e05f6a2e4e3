// Native sheets. A separate script draws them; the shim loads it for the first sheet. The two talk through `sheetHost`.

import { assign, forEach, listen, pathOf, stopEvent, warn } from "./builtins.js";
import { ownFolder } from "./configuration.js";
import { request } from "./connection.js";
import { encode } from "./copy.js";
import { queue } from "./listening.js";
import { loadScript } from "./load.js";
import { listeners, sheetHost } from "./parts.js";
import { watch } from "./watching.js";

/**
 * @typedef {{id: string, kind: string, content: any, locale?: string, waitsFor?: string, app?: {name: string, icon?: string}}} SheetContent
 * @typedef {object} SheetHost
 * @property {(id: string, approved: boolean, fields?: object) => void} answer
 * @property {(action: string, data: object) => void} tell - tells the host what another script of ours has found
 * @property {() => void} listen - adds the listeners for `hear` again: a document that is rewritten loses its listeners
 * @property {typeof listeners} listeners - take the host's messages to our scripts
 * @property {typeof loadScript} loadScript
 * @property {string} ownFolder - the address of the server's own routes, with a slash at the end
 * @property {(sheet: SheetContent) => void} [present] - set by the script of the sheets
 * @property {(sheet: {id?: string}) => void} [dismiss] - set by that script; without an id, dismisses all sheets
 * @property {(sheet: {locale?: string}) => void} [withhold] - set by that script; says that a sheet on another page comes first
 * @property {(language: string, words: import("../sheets/words/en.js").SheetWords) => void} [addWords] - set by that script; takes words
 * @property {(data: any) => void} [note] - set by that script; takes the data of `onTransactionsUpdated`
 * @property {(take: (...observation: [kind: string, ...details: any[]]) => void) => any[][]} watch - for the linter's script, which takes all
 *   observations from now on and gets the earlier ones
 * @property {boolean} [takesNavigations] - whether adapters of the document take navigations
 * @property {(inner: any) => void} [watchFrame] - has them take those of a frame, too
 * @property {(event: Event, path: EventTarget[]) => boolean} [hear] - handles the events in a sheet while one is shown; returns
 *   whether nobody else must get the event
 */

assign(sheetHost, /** @type {Partial<SheetHost>} */ ({
  answer(id, approved, fields) {
    request("footbridge.sheet.answer", { id, approved, fields: encode(fields) }, ({ status }) => {
      // If the shim cannot send an approval, it declines. Otherwise the sheet would stay open for ever.
      if (status === "error" && approved) sheetHost.answer(id, false);
    }, configuration.messageBytes);
  },
  tell: (action, data) => request("footbridge." + action, data, () => {}),
  watch,
  listeners,
  loadScript,
  ownFolder,
}));

const sheetEvents = ("beforeinput input click wheel blur focus focusin focusout beforetoggle toggle keydown keypress keyup mousedown mousemove mouseup "
  + "pointerdown pointermove pointerup touchend touchmove touchstart").split(" ");

/**
 * Hides the events of a sheet from the page.
 * @param {Event} event
 */
function takeSheetEvent(event) {
  if (sheetHost.hear?.(event, pathOf(event))) stopEvent(event);
}

/** The shim's listeners run before the page's, because the shim runs before the page's scripts. */
export function listenForSheets() {
  forEach(sheetEvents, (/** @type {string} */ type) => listen(window, type, takeSheetEvent, true));
}

/**
 * Runs a function once the script of the sheets has loaded; undefined before the first sheet.
 * @type {ReturnType<typeof queue> | undefined}
 */
let whenSheetsLoad;

/**
 * @param {"present" | "dismiss" | "withhold"} action
 * @param {any} data
 */
function passToSheets(action, data) {
  if (!whenSheetsLoad) {
    whenSheetsLoad = queue(() => sheetHost.present, (run) => run());
    const script = loadScript("sheets.js");
    listen(script, "load", () => whenSheetsLoad?.());
    // The host presents the sheets again on the next connection, which loads the script again.
    listen(script, "error", () => whenSheetsLoad = undefined);
  }
  whenSheetsLoad(() => sheetHost[action]?.(data));
}

listeners["footbridge.sheet.present"] = (data) => passToSheets("present", data);
listeners["footbridge.sheet.withheld"] = (data) => {
  warn("Footbridge:", data.reason);
  if (data.elsewhere) passToSheets("withhold", data);
};
listeners["footbridge.sheet.dismiss"] = (data) => passToSheets("dismiss", data);
