/**
 * The ticker takes font, colour and direction from the page. A constructed sheet, because a strict policy of the page
 * refuses style elements.
 */
const text = `
:host {
  --size: var(--potstream-amount-size, 2.75rem);
  --small: var(--potstream-small-amount-size, 1.375rem);
  --quiet: var(--potstream-quiet, color-mix(in srgb, currentcolor 74%, transparent));
  --win: var(--potstream-win, #ffd777);
  --win-ground: var(--potstream-win-ground, #241a04);
  --win-ink: var(--potstream-win-ink, #fdf3da);
  --sparks: var(--potstream-sparks, #5fe0b5);
  position: relative;
  display: block;
  min-inline-size: min(100%, 12rem);
  contain: layout paint;
  container-type: inline-size;
  text-align: start;
}
:host([hidden]) { display: none; }
.ticker { display: grid; gap: 0.5rem; }
.title { font-weight: 650; }
.title:not(:has(*)):empty { display: none; }
.pots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, calc(var(--small) * 4.6)), 1fr)); gap: 0.625rem 1rem; }
.pot { container-type: inline-size; min-inline-size: 0; }
.main { grid-column: 1 / -1; --size-here: var(--size); }
.pot:not(.main) { --size-here: var(--small); }
.pot-head { display: flex; align-items: baseline; justify-content: space-between; gap: 0.75rem; min-block-size: 1.5em; font-size: 0.8125rem; line-height: 1.5; color: var(--quiet); }
.pot-name { min-inline-size: 0; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.note { flex: none; max-inline-size: 70%; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.amount { display: flex; align-items: center; block-size: calc(var(--size-here) * 1.2); transition: color 0.4s, opacity 0.3s; }
.places { --width: 1; display: inline-flex; overflow: hidden; font-size: min(var(--size-here), calc(140cqi / var(--width))); font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.2; white-space: pre; -webkit-user-select: none; user-select: none; mask-image: linear-gradient(transparent, #000 14%, #000 86%, transparent); }
.places:empty::before { content: "–"; }
.number { display: inline-flex; }
.digit { block-size: 1.2em; overflow: hidden; }
.wheel { display: block; text-align: center; }
.symbol { display: block; }
.symbol[part~="currency"] { font-weight: 500; opacity: 0.78; }
.number > .symbol { opacity: 0.78; }
.countdown { display: none; min-block-size: 1.5em; font-size: 0.8125rem; line-height: 1.5; color: var(--quiet); font-variant-numeric: tabular-nums; }
.has-deadline .countdown { display: block; }
.is-dated .amount { opacity: 0.6; transition-delay: 0s, 2s; }
.is-won .amount { color: var(--potstream-won, inherit); }
.celebration { position: absolute; inset: 0; display: none; place-content: center; container-type: size; overflow: hidden; border-radius: var(--potstream-radius, 0.75rem); background: var(--win-ground); color: var(--win-ink); pointer-events: none; }
.won { display: flex; flex-direction: column; align-items: center; max-inline-size: 96cqi; font-size: clamp(0.75rem, 4.4cqi, 1rem); white-space: nowrap; }
@container (max-height: 4.5rem) { .won { flex-direction: row; gap: 0.75em; align-items: baseline; } }
.is-celebrating .celebration { display: grid; animation: comes 0.5s cubic-bezier(0.2, 1.2, 0.3, 1); }
.celebration strong { color: var(--win); font-size: clamp(0.875rem, min(9cqi, 60cqb), 2.5rem); font-weight: 720; line-height: 1.2; font-variant-numeric: tabular-nums; }
.sparks { position: absolute; inset: 0; display: flex; justify-content: space-evenly; }
.sparks i { inline-size: 5px; block-size: 5px; border-radius: 50%; background: var(--win); opacity: 0; animation: falls 1.6s ease-in 0.2s 2; }
.sparks i:nth-child(2n) { background: var(--sparks); animation-delay: 0.6s; }
.sparks i:nth-child(3n) { animation-duration: 2.2s; animation-delay: 0.1s; }
.for-readers { position: absolute; inline-size: 1px; block-size: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@keyframes comes { from { opacity: 0; transform: scale(0.94); } }
@keyframes falls { from { opacity: 1; transform: none; } to { opacity: 0; transform: translateY(9rem); } }
@media (prefers-reduced-motion: reduce) {
  .amount, .is-celebrating .celebration { animation: none; transition: none; }
  .sparks { display: none; }
}
`;

let sheet: CSSStyleSheet | null = null;

/** One sheet for all tickers of a page. */
export function styles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  return sheet;
}
