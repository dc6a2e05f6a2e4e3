// Where the sheet lies. A page that is wider than its window, or magnified, moves what is fixed in it: the sheet is laid out in
// what is seen of the page, and is as large as on a page that is not magnified.

function placeSheet() {
  if (!shownSheet || !stageWindow.visualViewport) return;
  const { scale, offsetLeft, offsetTop, width, height } = stageWindow.visualViewport;
  const { style } = shownSheet.dialog;
  // What the page's own style sheets magnify, too.
  const { currentCSSZoom = 1 } = /** @type {Element & {currentCSSZoom?: number}} */ (stage.documentElement);
  style.setProperty("zoom", String(1 / scale / currentCSSZoom));
  style.left = `${offsetLeft * scale}px`;
  style.top = `${offsetTop * scale}px`;
  style.width = `${width * scale}px`;
  style.height = `${height * scale}px`;
}

/**
 * Content that does not fit can be reached by the keyboard, and shows that it goes on.
 * @param {HTMLElement} content
 */
function watchOverflow(content) {
  new stageWindow.ResizeObserver(() => {
    if (content.scrollHeight > content.clientHeight + 1) content.tabIndex = 0;
    else content.removeAttribute("tabindex");
  }).observe(content);
}
