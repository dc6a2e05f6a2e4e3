/** @type {CSSStyleSheet | undefined} */
let builtStyle;

/** The one style sheet of all sheets. Constructed, since policies that forbid `<style>` do not forbid this. */
function sheetStyle() {
  if (!builtStyle) {
    builtStyle = new CSSStyleSheet();
    builtStyle.replaceSync(sheetStyleText);
  }
  return builtStyle;
}

const sheetStyleText = `
:host { all: initial !important; display: contents !important; }
*, ::before, ::after { box-sizing: border-box; }

dialog {
  color-scheme: light dark;
  --card: light-dark(#f2f2f7, #1c1c1e);
  --row: light-dark(#fff, #2c2c2e);
  --ink: light-dark(#000, #fff);
  --ink-2: light-dark(#66666b, #a0a0a8);
  --line: light-dark(rgb(60 60 67 / .16), rgb(120 120 128 / .32));
  --fill: light-dark(rgb(118 118 128 / .13), rgb(118 118 128 / .26));
  --tint: light-dark(#0069dc, #3d9bff);
  --primary: light-dark(#0071eb, #0b74e6);
  position: fixed; inset: 0; width: 100%; height: 100%; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; overflow: hidden; outline: none;
  justify-content: center; align-items: flex-end;
  background: transparent; color: var(--ink);
  font: 400 17px/1.3 -apple-system, system-ui, "SF Pro Text", "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  -webkit-font-smoothing: antialiased; -webkit-user-select: none; user-select: none; touch-action: none;
  transition: background-color .24s ease-out, display .24s allow-discrete, overlay .24s allow-discrete;
}
dialog[data-theme="light"] { color-scheme: light; }
dialog[data-theme="dark"] { color-scheme: dark; }
dialog[open] { display: flex; background: light-dark(rgb(0 0 0 / .32), rgb(0 0 0 / .56)); }
dialog:not([open]) { pointer-events: none; }
dialog::backdrop { background: none; }

.card {
  display: flex; flex-direction: column; gap: 20px;
  width: 100%; max-width: 560px; max-height: 94%; overflow-y: auto; overscroll-behavior: contain; touch-action: pan-y;
  margin: 0; padding: 22px 20px max(22px, env(safe-area-inset-bottom));
  border-radius: 30px 30px 0 0; background: var(--card);
  box-shadow: 0 -1px 0 light-dark(transparent, rgb(255 255 255 / .07)), 0 -12px 48px rgb(0 0 0 / .18);
  transform: translateY(105%); transition: transform .24s cubic-bezier(.4, 0, 1, 1), opacity .2s;
}
dialog[open] .card { transform: none; transition: transform .42s cubic-bezier(.2, .9, .25, 1), opacity .2s; }
@starting-style {
  dialog[open] { background: transparent; }
  dialog[open] .card { transform: translateY(105%); }
}

header { display: flex; align-items: center; gap: 14px; }
header > div { min-width: 0; }
h2 { margin: 0; font-size: 20px; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0; overflow-wrap: anywhere; text-wrap: pretty; }
#description { margin-top: 3px; font-size: 15px; color: var(--ink-2); }

.badge, .symbol {
  flex: none; position: relative; display: grid; place-items: center; overflow: hidden;
  width: 60px; height: 60px; border-radius: 14px; font-size: 27px; font-weight: 600; color: #fff;
}
.badge {
  background: linear-gradient(160deg, hsl(var(--hue) 62% 58%), hsl(calc(var(--hue) + 28) 66% 40%));
  box-shadow: inset 0 0 0 .5px rgb(255 255 255 / .25);
}
.badge img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.symbol { background: var(--fill); color: var(--tint); }
svg { width: 22px; height: 22px; }
path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.symbol svg { width: 34px; height: 34px; }
.symbol path { stroke-width: 1.6; }

.price { font-size: 30px; line-height: 1.15; font-weight: 650; letter-spacing: -.02em; text-align: center; }
.price span { font-size: 17px; font-weight: 400; letter-spacing: 0; color: var(--ink-2); }
.price s { font-weight: 400; color: var(--ink-2); }

fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0 16px 7px; font-size: 13px; color: var(--ink-2); }
fieldset > div, .rows { border-radius: 16px; background: var(--row); overflow: hidden; }
.row { position: relative; display: flex; align-items: center; gap: 12px; min-height: 48px; padding: 10px 16px; }
.row + .row::before {
  content: ""; position: absolute; top: 0; right: 0; left: 16px; height: 1px; background: var(--line);
}
.fact { justify-content: space-between; gap: 20px; }
.value { color: var(--ink-2); text-align: right; overflow-wrap: anywhere; }
.choice { cursor: pointer; }
.choice .badge { width: 40px; height: 40px; border-radius: 50%; font-size: 15px; }
.choice:has(.badge) + .choice::before { left: 68px; }
.text { flex: 1; min-width: 0; }
.name, .detail { display: block; overflow-wrap: anywhere; }
.detail { font-size: 14px; color: var(--ink-2); }
.choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.choice svg { flex: none; color: var(--tint); opacity: 0; }
.choice path { stroke-width: 2.4; }
.choice:has(:checked) svg { opacity: 1; }
.choice:active { background: var(--fill); }
.choice:has(:focus-visible), button:focus-visible { outline: 3px solid var(--tint); outline-offset: 2px; }
.choice:has(:focus-visible) { outline-offset: -3px; border-radius: 16px; }

.segments > div { display: flex; gap: 2px; padding: 3px; border-radius: 13px; background: var(--fill); }
.segments .row { flex: 1; justify-content: center; min-height: 38px; padding: 6px 8px; border-radius: 10px; }
.segments .text { text-align: center; }
.segments .row::before, .segments svg { display: none; }
.segments .name { font-size: 15px; font-weight: 500; }
.segments .row:has(:checked) { background: light-dark(#fff, #636366); box-shadow: 0 2px 8px rgb(0 0 0 / .13); }
.segments .row:has(:focus-visible) { outline-offset: 1px; border-radius: 10px; }

.view {
  position: relative; display: grid; place-items: center; overflow: hidden;
  width: 100%; max-height: 56vh; aspect-ratio: 4 / 3; border-radius: 20px; background: #000;
}
.view[hidden] { display: none; }
video, canvas { display: block; grid-area: 1 / 1; width: 100%; height: 100%; min-height: 0; object-fit: contain; }
video[hidden], canvas[hidden] { display: none; }
.view:has(.oval) video { transform: scaleX(-1); }
.guide { grid-area: 1 / 1; z-index: 1; box-shadow: 0 0 0 2000px rgb(0 0 0 / .42); border: 3px solid rgb(255 255 255 / .92); }
.guide[hidden] { display: none; }
.rectangle { width: min(84%, 400px); aspect-ratio: 1.5; max-height: 84%; border-radius: 16px; }
.oval { height: 84%; aspect-ratio: .74; border-radius: 50%; }

.buttons { display: flex; flex-direction: column; gap: 4px; }
button {
  min-height: 52px; padding: 12px 20px; border: 0; border-radius: 16px; background: none; color: var(--tint);
  font: inherit; cursor: pointer; touch-action: manipulation; transition: filter .15s, background-color .15s;
}
.primary { background: var(--primary); color: #fff; font-weight: 600; }
.plain:only-child { background: var(--fill); font-weight: 600; }
@media (hover: hover) {
  .primary:hover { filter: brightness(1.07); }
  .plain:hover { background: var(--fill); }
}
button:active { filter: brightness(.88); }
.note { margin-top: -8px; font-size: 13px; color: var(--ink-2); text-align: center; }

@media (min-width: 600px) {
  dialog { align-items: center; }
  .card { width: 400px; max-height: 88%; padding: 26px 24px 22px; border-radius: 30px; }
  .card { transform: scale(.96); opacity: 0; box-shadow: 0 24px 80px rgb(0 0 0 / .3); }
  dialog[open] .card { opacity: 1; }
  @starting-style { dialog[open] .card { transform: scale(1.06); opacity: 0; } }
  .card:has(.view) { width: 480px; }
  header { flex-direction: column; gap: 12px; text-align: center; }
}
@media (prefers-reduced-motion: reduce) {
  dialog, dialog[open], .card, dialog[open] .card, button { transition: none; }
}
@media (forced-colors: active) {
  .card, .rows, fieldset > div, button { border: 1px solid CanvasText; }
  .choice:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px; }
}
`;
