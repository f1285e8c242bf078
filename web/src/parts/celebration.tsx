import { useEffect } from 'preact/hooks';
import { formatMoney } from '../money/format.ts';
import type { SessionJackpot } from '../session/shapes.ts';
import type { Won } from '../state/messages.ts';
import { wordsOf } from './words.ts';

interface Properties {
  readonly won: Won | null;
  readonly jackpots: ReadonlyMap<string, SessionJackpot>;
  readonly onOver: () => void;
}

const shownMs = 4000;
const sparkCount = 18;

/** A win, said once: to the eye as a banner with sparks at the foot of the window, clear of what the page begins with (none with reduced motion), to screen readers as a status. */
export function Celebration({ won, jackpots, onOver }: Properties) {
  useEffect(() => {
    if (won === null) return;
    const timer = setTimeout(onOver, shownMs);
    return () => clearTimeout(timer);
  }, [won]);
  const name = won === null ? '' : (jackpots.get(won.instanceId)?.name ?? won.instanceId);
  return (
    <div class="celebration-place" role="status" aria-live="polite">
      {won !== null && (
        <div
          class="celebration"
          key={`${won.instanceId}/${won.timestampMs}/${won.pot}`}
          data-testid="celebration"
        >
          <span class="sparks" aria-hidden="true">
            {Array.from({ length: sparkCount }, (_, index) => (
              <i key={index} />
            ))}
          </span>
          <p class="celebration-amount">{formatMoney(won.atoms, won.currency)}</p>
          <p>
            {won.player} won the {wordsOf(won.pot)} pot of {name}
          </p>
          <button type="button" class="round" onClick={onOver} aria-label="Close">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M5 5l10 10M15 5L5 15" />
            </svg>
          </button>
        </div>
      )}
    </div>
  );
}
