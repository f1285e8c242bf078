import type { Won } from '../feed/messages.ts';
import { formatMoney } from '../money/format.ts';
import type { SessionJackpot } from '../session/shapes.ts';
import { proofAddress } from './proof-address.ts';
import { timeOf, wordsOf } from './words.ts';

interface Properties {
  readonly winners: readonly Won[];
  readonly jackpots: ReadonlyMap<string, SessionJackpot>;
}

const shownWinners = 6;

export function Winners({ winners, jackpots }: Properties) {
  return (
    <section class="card winners" aria-labelledby="winners-title">
      <h2 id="winners-title">Last winners</h2>
      {winners.length === 0 && <p class="muted">The next win appears here the moment it is paid.</p>}
      <ol data-testid="winners">
        {winners.slice(0, shownWinners).map((won) => (
          <li key={`${won.instanceId}/${won.counter}/${won.timestampMs}/${won.pot}`}>
            <span class="winner-amount">{formatMoney(won.atoms, won.currency)}</span>
            <span class="winner-who">{won.player}</span>
            <span class="winner-what">
              {jackpots.get(won.instanceId)?.name ?? won.instanceId} · {wordsOf(won.pot)}
            </span>
            <span class="winner-when">
              <time dateTime={new Date(won.timestampMs).toISOString()}>{timeOf(won.timestampMs)}</time>{' '}
              <a href={proofAddress(won)} data-testid="proof">
                Proof<span class="for-readers"> of {won.player}’s win</span>
              </a>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
