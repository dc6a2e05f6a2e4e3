import { stageWindow } from "./elements.js";

/** @type {CSSStyleSheet | undefined} */
let builtStyle;

/** Returns the style sheet of all sheets. It is constructed, because policies that forbid `<style>` do not forbid this. */
export function sheetStyle() {
  if (!builtStyle) {
    builtStyle = new stageWindow.CSSStyleSheet();
    builtStyle.replaceSync(sheetStyleText);
  }
  return builtStyle;
}

const sheetStyleText = `
:host { all: initial !important; display: contents !important; }
*, ::before, ::after { box-sizing: border-box; }

.screen {
  color-scheme: light dark;
  --card: light-dark(#f2f2f7, #1c1c1e);
  --row: light-dark(#fff, #2c2c2e);
  --ink: light-dark(#000, #fff);
  --ink-2: light-dark(#66666b, #a0a0a8);
  --line: light-dark(rgb(60 60 67 / .16), rgb(120 120 128 / .32));
  --mark: light-dark(#8a8a8e, #8a8a90);
  --fill: light-dark(rgb(118 118 128 / .13), rgb(118 118 128 / .26));
  --tint: light-dark(#0069dc, #3d9bff);
  --primary: light-dark(#0071eb, #0b74e6);
  --primary-2: light-dark(#0063cf, #0a66cc);
  position: fixed; inset: 0 auto auto 0; width: 100%; height: 100%; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; overflow: hidden; outline: none; container: screen / size;
  background: light-dark(rgb(0 0 0 / .32), rgb(0 0 0 / .56)); color: var(--ink);
  font: 400 17px/1.3 -apple-system, system-ui, "SF Pro Text", Inter, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  text-align: start; -webkit-font-smoothing: antialiased; -webkit-user-select: none; user-select: none;
  touch-action: none; overscroll-behavior: contain;
  animation: dim .24s ease-out;
}
.screen[data-theme="light"] { color-scheme: light; }
.screen[data-theme="dark"] { color-scheme: dark; }
.screen::backdrop { background: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.spoken::before { content: attr(data-text); }
.screen:lang(ko) { word-break: keep-all; }
.screen:lang(ja) { word-break: auto-phrase; }
dialog:not([open]) { display: none; }
.leaving { z-index: 2147483647; pointer-events: none; animation: dim .24s ease-out reverse forwards; }
@keyframes dim { from { background-color: transparent; } }

.card {
  position: absolute; inset: auto 0 0; display: flex; flex-direction: column;
  width: 100%; max-width: 560px; max-height: 94%; margin: 0 auto; overflow: hidden;
  border-radius: 30px 30px 0 0; background: var(--card);
  box-shadow: 0 -1px 0 light-dark(transparent, rgb(255 255 255 / .07)), 0 -12px 48px rgb(0 0 0 / .18);
  animation: rise .42s cubic-bezier(.2, .9, .25, 1);
}
.leaving .card { animation: sink .24s cubic-bezier(.4, 0, 1, 1) forwards; }
@keyframes rise { from { transform: translateY(105%); } }
@keyframes sink { to { transform: translateY(105%); } }
@keyframes zoom-in { from { transform: scale(1.06); opacity: 0; } }
@keyframes zoom-out { to { transform: scale(.96); opacity: 0; } }

/* The bar is small, and what a finger can grab is not. */
.grabber { display: none; flex: none; position: relative; z-index: 1; height: 24px; margin-bottom: -23px; }
.grabber::before { content: ""; position: absolute; inset: 8px 0 auto; width: 36px; height: 5px; margin: 0 auto; border-radius: 3px; background: var(--line); }
.grabber, .head { touch-action: none; }
@media (pointer: coarse) { .card:not(.camera) .grabber { display: block; } }
.content {
  flex: 0 1 auto; min-height: 0; overflow: hidden auto; overscroll-behavior: contain; touch-action: pan-y;
  display: flex; flex-direction: column; gap: 20px; outline-offset: -3px;
  --top: 22px; --side: 20px; --bottom: 20px; padding: var(--top) var(--side) var(--bottom);
}
.content > * { flex: none; }
.content[tabindex] + .buttons { border-top: 1px solid var(--line); padding-top: 10px; }
.head { display: flex; align-items: center; gap: 14px; }
.head > div { min-width: 0; max-width: 100%; }
h2 { margin: 0; font-size: 20px; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h2, p { overflow-wrap: break-word; }
p { margin: 0; text-wrap: pretty; }
#description { margin-top: 3px; font-size: 15px; color: var(--ink-2); }

.app { margin-bottom: 4px; font-size: 13px; color: var(--ink-2); }
.app img { width: 18px; height: 18px; margin-inline-end: 6px; border-radius: 4px; object-fit: cover; vertical-align: -4px; }
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

.price { font-size: 30px; line-height: 1.15; font-weight: 650; letter-spacing: -.02em; text-align: center; text-wrap: balance; }
/* However long the description is, the price is in sight. */
.content[tabindex] .price {
  position: sticky; inset-block: calc(-1 * var(--top)) calc(-1 * var(--bottom)); z-index: 1;
  margin: -8px 0; padding: 8px 0; background: var(--card);
  /* To the edges of the card. With a negative margin, WebKit would let the sheet scroll sideways. */
  box-shadow: calc(-1 * var(--side)) 0 var(--card), var(--side) 0 var(--card);
}
.price span { display: inline-block; font-size: 17px; font-weight: 400; letter-spacing: 0; color: var(--ink-2); }
.change { font-size: 22px; letter-spacing: -.01em; }

fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
/* A legend that floats is an ordinary block: around any other, WebKit makes the group too high. */
legend { float: left; width: 100%; padding: 0 16px 7px; font-size: 13px; color: var(--ink-2); }
legend + * { clear: both; }
fieldset > div, .rows { margin: 0; padding: 0; border-radius: 16px; background: var(--row); overflow: hidden; list-style: none; }
.row { position: relative; display: flex; align-items: center; gap: 12px; min-height: 48px; padding: 10px 16px; }
.row + .row::before {
  content: ""; position: absolute; inset: 0 0 auto 16px; height: 1px; background: var(--line);
}
[dir="rtl"] .row + .row::before { inset: 0 16px auto 0; }
.fact { flex-wrap: wrap; justify-content: space-between; gap: 0 20px; }
dt { flex: none; max-width: 50%; overflow-wrap: break-word; }
dd { min-width: 0; margin: 0 0 0 auto; font-size: 16px; color: var(--ink-2); text-align: right; overflow-wrap: break-word; }
[dir="rtl"] dd { margin: 0 auto 0 0; text-align: left; }
.field > span { flex: none; max-width: 50%; overflow-wrap: break-word; }
.field input {
  flex: 1; min-width: 0; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: right; outline: none;
}
[dir="rtl"] .field input { text-align: left; }
.field input[type="number"] { appearance: textfield; }
.field ::-webkit-inner-spin-button { appearance: none; margin: 0; }
.required::after { content: " *" / ""; color: var(--tint); }
.choice { cursor: pointer; }
.choice .badge { width: 40px; height: 40px; border-radius: 50%; font-size: 15px; }
.choice:has(.badge) + .choice::before { left: 68px; }
[dir="rtl"] .choice:has(.badge) + .choice::before { left: 0; right: 68px; }
.text { flex: 1; min-width: 0; }
.name, .detail { display: block; overflow-wrap: break-word; }
#description, .app, .name { text-align: -webkit-match-parent; text-align: match-parent; }
.detail { font-size: 14px; color: var(--ink-2); }
.choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.choice svg { flex: none; border: 1.5px solid var(--mark); border-radius: 50%; color: transparent; }
.choice:has([type="checkbox"]) svg { border-radius: 6px; }
.choice path { stroke-width: 2.8; }
.choice:has(:checked) svg { border-color: var(--primary); background: var(--primary); color: #fff; }
.choice:active { background: var(--fill); }
.choice:has(:focus-visible), .field:has(:focus-visible), button:focus-visible, .content:focus-visible { outline: 3px solid var(--tint); }
button:focus-visible { outline-offset: 2px; }
.choice:has(:focus-visible), .field:has(:focus-visible) { outline-offset: -3px; border-radius: 16px; }

.segments > div { display: flex; flex-wrap: wrap; gap: 2px; padding: 3px; border-radius: 13px; background: var(--fill); }
.segments .row { flex: 1 0 auto; justify-content: center; min-height: 38px; max-width: 100%; padding: 6px 10px; border-radius: 10px; }
.segments .text { text-align: center; }
.segments .row::before, .segments svg { display: none; }
.segments .name { font-size: 15px; font-weight: 500; }
.segments .row:has(:checked) { background: light-dark(#fff, #636366); box-shadow: 0 2px 8px rgb(0 0 0 / .13); }
.segments .row:has(:focus-visible) { outline-offset: 1px; border-radius: 10px; }

.buttons {
  flex: none; display: flex; flex-direction: column; gap: 4px; padding: 0 20px max(20px, env(safe-area-inset-bottom));
}
button {
  min-height: 52px; padding: 10px 20px; border: 0; border-radius: 16px; background: none; color: var(--tint);
  font: inherit; cursor: pointer; touch-action: manipulation; transition: filter .15s, background-color .15s;
}
button[hidden], .view[hidden] { display: none; }
.primary { background: var(--primary); color: #fff; font-weight: 600; }
.plain:only-child { background: var(--fill); font-weight: 600; }
@media (hover: hover) {
  .primary:hover { background: var(--primary-2); }
  .plain:hover { background: var(--fill); }
}
button:active { filter: brightness(.88); }
.primary:active { background: var(--primary-2); filter: none; }
.note { margin-top: -6px; font-size: 13px; color: var(--ink-2); text-align: center; }

/* The notice of how a payment ended. */
.outcome { z-index: 2147483647; background: none; pointer-events: none; animation: none; }
.notice {
  position: absolute; inset: max(16px, env(safe-area-inset-top)) 12px auto; display: flex; align-items: center; gap: 14px;
  width: fit-content; max-width: 420px; margin: 0 auto; padding: 14px 22px 14px 16px; border-radius: 22px; background: var(--card);
  box-shadow: 0 8px 40px rgb(0 0 0 / .28); animation: notice 2.6s ease-in-out forwards;
}
.notice:has(.spinner) { animation-duration: 20s; }
@keyframes notice { 0% { opacity: 0; } 6%, 88% { opacity: 1; } 100% { opacity: 0; } }
.notice strong { font-weight: 600; }
.notice p { font-size: 15px; color: var(--ink-2); }
.mark { flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 50%; background: var(--fill); color: #fff; }
.check { background: #248a3d; }
.problem { background: #d70015; }
.clock { background: #6e6e73; }
.mark path { stroke-width: 2.4; }
.spinner { border: 3.5px solid var(--fill); border-top-color: var(--tint); background: none; animation: turn .9s linear 22; }
@keyframes turn { to { transform: rotate(1turn); } }

/* Wide and high: a card in the middle. */
@container screen (width >= 600px) {
  .card:not(.camera) .grabber { display: none; }
  .card {
    inset: 0; width: 400px; height: fit-content; max-height: 88%; margin: auto; border-radius: 30px;
    box-shadow: 0 24px 80px rgb(0 0 0 / .3); animation-name: zoom-in;
  }
  .leaving .card { animation-name: zoom-out; }
}
@container screen (width >= 600px) and (height > 480px) {
  .content { --top: 26px; --side: 24px; }
  .buttons { padding: 0 24px 22px; }
  .head { flex-direction: column; gap: 12px; text-align: center; }
}
/* Low: pictures take little room, and the buttons are side by side. */
@container screen (height <= 480px) {
  .card { max-height: 100%; border-radius: 22px; }
  .content { gap: 12px; --top: 14px; --side: 16px; --bottom: 12px; }
  .badge, .symbol { width: 44px; height: 44px; border-radius: 11px; font-size: 21px; }
  .symbol svg { width: 26px; height: 26px; }
  h2 { font-size: 18px; }
  .price { font-size: 24px; }
  .row { min-height: 40px; padding: 7px 16px; }
  .buttons { flex-flow: row-reverse wrap; padding: 8px 16px 10px; }
  button { flex: 1 1 auto; min-height: 44px; padding: 6px 14px; border-radius: 13px; }
  .note { margin-top: 0; }
}
@container screen (width >= 600px) and (height <= 480px) {
  .card { width: 520px; max-height: 96%; }
}
@container screen (height <= 480px) and (width < 600px) {
  .card { border-radius: 22px 22px 0 0; }
}

/* The camera: dark, and as large as the window. */
.camera {
  color-scheme: dark; inset: 0; width: 100%; max-width: none; height: 100%; max-height: none; margin: 0; border-radius: 0;
  background: #000; color: #fff; box-shadow: none;
}
.camera .symbol { display: none; }
.camera .content { max-height: 34%; gap: 8px; padding: 16px 20px 12px; }
.camera .head { text-align: center; justify-content: center; }
.camera .note { margin: 0; }
.camera .buttons { flex-flow: row-reverse wrap; justify-content: center; gap: 8px; padding-top: 12px; border-top: 0; }
.camera button { flex: 1 1 40%; min-height: 48px; padding: 6px 12px; }
.camera .plain { background: var(--fill); color: #fff; }
.view { flex: 1 1 0; min-height: 72px; min-width: 0; container-type: size; display: grid; place-items: center; }
.card:not(.camera) .view { display: none; }
.picture {
  position: relative; display: grid; place-items: center; overflow: hidden; container-type: size;
  width: min(100cqw, 100cqh * var(--ratio, 1.33)); aspect-ratio: var(--ratio, 1.33);
}
video, canvas { display: block; grid-area: 1 / 1; width: 100%; height: 100%; min-height: 0; object-fit: contain; }
video[hidden], canvas[hidden], .guide[hidden] { display: none; }
.picture:has(.oval) video { transform: scaleX(-1); }
.guide { grid-area: 1 / 1; z-index: 1; box-shadow: 0 0 0 4000px rgb(0 0 0 / .42); border: 3px solid rgb(255 255 255 / .92); }
.rectangle { width: min(88cqw, 126cqh); aspect-ratio: 1.5; border-radius: 16px; }
.oval { height: min(86cqh, 116cqw); aspect-ratio: .74; border-radius: 50%; }
@container screen (orientation: landscape) {
  .camera {
    display: grid; grid: minmax(0, 1fr) auto / minmax(0, 1fr) clamp(136px, 30%, 320px);
    grid-template-areas: "view text" "view buttons";
  }
  .camera .view { grid-area: view; min-height: 0; }
  .camera .content { grid-area: text; max-height: none; padding: 20px; }
  .camera .head { text-align: start; justify-content: start; }
  .camera .note { text-align: start; }
  .camera .buttons { grid-area: buttons; flex-flow: column; }
  .camera button { flex: none; }
}
@container screen (orientation: landscape) and (height <= 480px) {
  .camera .content { padding: 12px; gap: 8px; }
  .camera .buttons { padding: 0 12px 12px; gap: 6px; }
  .camera button { min-height: 40px; padding: 4px 8px; }
}
@container screen (height <= 280px) {
  .camera h2, .camera button { font-size: 15px; }
  .camera button { min-height: 34px; }
}

@media (prefers-reduced-motion: reduce) {
  .screen, .card, button { animation: none !important; transition: none; }
}
@media (forced-colors: active) {
  .card, .rows, fieldset > div, button { border: 1px solid CanvasText; }
  .choice:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px; }
}
`;
