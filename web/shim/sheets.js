// Native screens. What draws them is a script of its own, loaded for the first one; the two meet at `sheetHost`.

/**
 * @typedef {{id: string, kind: string, content: any, locale?: string, waitsFor?: string}} SheetContent
 * @typedef {object} SheetHost
 * @property {(id: string, approved: boolean, fields?: object) => void} answer
 * @property {() => void} listen - makes sure of `hear`: a document that is written anew loses its listeners
 * @property {(sheet: SheetContent) => void} [present] - set by the script of the sheets
 * @property {(sheet: {id?: string}) => void} [dismiss] - likewise; without an id, of all sheets
 * @property {(data: any) => void} [note] - likewise; takes the data of `onTransactionsUpdated`
 * @property {(event: Event, path: EventTarget[]) => boolean} [hear] - while a sheet is shown, takes what happens in it; tells whether
 *   the event goes nowhere else
 */

/** @type {SheetHost} */
const sheetHost = {
  answer(id, approved, fields) {
    request("footbridge.sheet.answer", { id, approved, fields: encode(fields) }, ({ status }) => {
      // What cannot be sent is taken back, or the sheet would stay open for ever.
      if (status === "error" && approved) sheetHost.answer(id, false);
    });
  },
  // The shim's listeners come before the page's, since it comes before its scripts. One that is there already stays where it is.
  listen() {
    for (let index = 0; index < sheetEvents.length; index++) listen(window, sheetEvents[index], takeSheetEvent, true);
  },
};

const sheetEvents = ("click focusin focusout input keydown keypress keyup mousedown mousemove mouseup "
  + "pointerdown pointermove pointerup touchend touchmove touchstart wheel").split(" ");

/**
 * Keeps from the page what a sheet takes for itself.
 * @param {Event} event
 */
function takeSheetEvent(event) {
  if (sheetHost.hear?.(event, pathOf(event))) stopEvent(event);
}

/**
 * Runs what it is given once the sheets are there; nothing before they are asked for.
 * @type {ReturnType<typeof queue> | undefined}
 */
let whenSheetsLoad;

/**
 * @param {"present" | "dismiss"} action
 * @param {any} data
 */
function passToSheets(action, data) {
  if (!whenSheetsLoad) loadSheets();
  whenSheetsLoad?.(() => sheetHost[action]?.(data));
}

function loadSheets() {
  whenSheetsLoad = queue(() => sheetHost.present);
  const script = document.createElement("script");
  script.src = trusted(ownFolder + "sheets.js", "createScriptURL");
  script.nonce = ownScript?.nonce;
  // A page of another server asks for both scripts as its policy and ours have it.
  script.crossOrigin = ownScript?.crossOrigin ?? null;
  listen(script, "load", () => whenSheetsLoad?.());
  // The host presents them again on the next connection, and so they are loaded again then.
  listen(script, "error", () => whenSheetsLoad = undefined);
  (document.head ?? document.documentElement).append(script);
  script.remove();
}

listeners["footbridge.sheet.present"] = (data) => passToSheets("present", data);
listeners["footbridge.sheet.withheld"] = ({ reason }) => warn("Footbridge:", reason);
listeners["footbridge.sheet.dismiss"] = (data) => passToSheets("dismiss", data);
