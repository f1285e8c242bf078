import { formatMoney } from '../money/format.ts';
import type { SessionJackpot, SessionPlayer } from '../session/shapes.ts';
import type { Won } from '../state/messages.ts';
import type { LiveJackpot } from '../state/state.ts';
import { Countdown } from './countdown.tsx';
import { GrowthLine, perMinute } from './growth-line.tsx';
import { OptInSwitch } from './opt-in-switch.tsx';
import { PotPromise } from './pot-promise.tsx';
import { RollingNumber } from './rolling-number.tsx';
import { wordsOf } from './words.ts';

interface Properties {
  readonly jackpot: SessionJackpot;
  readonly live: LiveJackpot | null;
  readonly won: Won | null;
  readonly featured: boolean;
  readonly player: SessionPlayer | null;
  readonly optedIn: boolean | undefined;
  /** Of a raffle; undefined: none were awarded while the page watched. */
  readonly tickets: number | undefined;
  readonly onOptIn: (optedIn: boolean) => void;
  readonly onContribute: () => void;
}

export function JackpotCard(properties: Properties) {
  const { jackpot, live, won, featured, player } = properties;
  const pots = byValue(live?.pots ?? []);
  const [main, ...rest] = pots;
  const title = `jackpot-${jackpot.instance_id}`;
  return (
    <article
      class={`card jackpot ${featured ? 'featured' : ''} ${won ? 'has-won' : ''}`}
      aria-labelledby={title}
      data-testid="jackpot"
      data-instance={jackpot.instance_id}
    >
      {live && <GrowthLine history={live.history} />}
      <header class="jackpot-head">
        <h2 id={title}>{jackpot.name}</h2>
        <p class={`chip status is-${(live?.status ?? 'pending').toLowerCase()}`}>
          {live?.status ?? 'Waiting'}
        </p>
      </header>
      <p class="about">{jackpot.description}</p>
      <Countdown jackpot={jackpot} />
      {jackpot.opt_in_required && player !== null && (
        <OptInSwitch
          key={player.player_id}
          jackpot={jackpot}
          player={player}
          optedIn={properties.optedIn}
          onChanged={properties.onOptIn}
        />
      )}
      {main && live && (
        <p class="pot main-pot">
          <span class="pot-name">{wordsOf(main.id)}</span>
          <span class={`pot-value ${won?.pot === main.id ? 'is-won' : ''}`}>
            <RollingNumber atoms={main.atoms} currency={live.currency} testId="pot" />
          </span>
          <PotPromise jackpot={jackpot} pot={promiseOf(jackpot, main.id)} />
        </p>
      )}
      {rest.length > 0 && live && (
        <ul class="other-pots">
          {rest.map((pot) => (
            <li class="pot" key={pot.id}>
              <span class="pot-name">{wordsOf(pot.id)}</span>
              <span class={`pot-value ${won?.pot === pot.id ? 'is-won' : ''}`}>
                <RollingNumber atoms={pot.atoms} currency={live.currency} testId="pot" />
              </span>
              <PotPromise jackpot={jackpot} pot={promiseOf(jackpot, pot.id)} />
            </li>
          ))}
        </ul>
      )}
      <footer class="jackpot-foot">
        <Facts live={live} tickets={properties.tickets} />
        {player !== null && (
          <button type="button" class="quiet" onClick={properties.onContribute}>
            Contribute<span class="for-readers"> to {jackpot.name}</span>
          </button>
        )}
      </footer>
    </article>
  );
}

function Facts({ live, tickets }: { live: LiveJackpot | null; tickets: number | undefined }) {
  if (live === null) return <span />;
  const growth = perMinute(live.history);
  return (
    <dl class="facts">
      {growth !== null && growth > 0n && (
        <div>
          <dt>Per minute</dt>
          <dd>+{formatMoney(growth, live.currency)}</dd>
        </div>
      )}
      {tickets !== undefined && (
        <div>
          <dt>Your tickets</dt>
          <dd data-testid="tickets">{tickets.toLocaleString('en')}</dd>
        </div>
      )}
      <div>
        <dt>Entries</dt>
        <dd>{live.sequence.toLocaleString('en')}</dd>
      </div>
      {live.head !== '' && (
        <div>
          <dt>Head</dt>
          <dd>
            <code title={live.head}>{live.head.slice(0, 8)}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

function promiseOf(jackpot: SessionJackpot, pot: string) {
  return jackpot.pots.find(({ id }) => id === pot);
}

/** The largest pot is the one people came for. */
function byValue(pots: LiveJackpot['pots']): LiveJackpot['pots'] {
  return [...pots].sort((first, second) =>
    first.atoms < second.atoms ? 1 : first.atoms > second.atoms ? -1 : 0,
  );
}
