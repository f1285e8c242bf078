import { formatMoney } from '../money/format.ts';
import type { SessionJackpot, SessionPlayer } from '../session/shapes.ts';
import type { Won } from '../state/messages.ts';
import { proofAddress } from './proof-address.ts';
import { timeOf, wordsOf } from './words.ts';

interface Properties {
  readonly winners: readonly Won[];
  readonly jackpots: ReadonlyMap<string, SessionJackpot>;
  readonly player: SessionPlayer | null;
}

const shownWinners = 6;

/** The newest wins, all in the player's currency where its brand has a rate. */
export function Winners({ winners, jackpots, player }: Properties) {
  return (
    <section class="card winners" aria-labelledby="winners-title">
      <h2 id="winners-title">Last winners</h2>
      {winners.length === 0 && <p class="muted">The next win appears here the moment it is paid.</p>}
      <ol data-testid="winners">
        {winners.slice(0, shownWinners).map((won) => (
          <li key={`${won.instanceId}/${won.timestampMs}/${won.pot}/${won.player}`}>
            <span class="winner-amount">{amountFor(player, won)}</span>
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

/** The feed has said it in the player's currency; what was won before, the session says for each player. */
function amountFor(player: SessionPlayer | null, { atoms, currency, shown }: Won): string {
  const own = player === null ? undefined : shown?.[player.player_id];
  return own === undefined ? formatMoney(atoms, currency) : formatMoney(own.atoms, own.currency);
}
