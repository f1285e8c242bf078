import { JackpotTicker } from './element.ts';

export type { TickerFeed } from './element.ts';
export type { TickerLabels } from './labels.ts';
export { JackpotTicker };

declare global {
  interface HTMLElementTagNameMap {
    'jackpot-ticker': JackpotTicker;
  }
}

const name = 'jackpot-ticker';

// A page may load it twice, and a server that renders pages has no elements.
if (globalThis.customElements !== undefined && customElements.get(name) === undefined)
  customElements.define(name, JackpotTicker);
