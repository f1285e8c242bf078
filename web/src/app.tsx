import { useState } from 'preact/hooks';
import { Celebration } from './parts/celebration.tsx';
import { ConnectionChip } from './parts/connection-chip.tsx';
import { ContributePanel } from './parts/contribute-panel.tsx';
import { JackpotCard } from './parts/jackpot-card.tsx';
import { Mark } from './parts/mark.tsx';
import { PlayerChoice } from './parts/player-choice.tsx';
import { ThemeToggle } from './parts/theme-toggle.tsx';
import { WalletBalance } from './parts/wallet-balance.tsx';
import { Winners } from './parts/winners.tsx';
import type { SessionJackpot } from './session/shapes.ts';
import { usePage, visitor } from './state/use-page.ts';

export function App() {
  const [chosenPlayer, choosePlayer] = useState<string | null>(null);
  const [chosenJackpot, chooseJackpot] = useState<string | null>(null);
  const { state, player, brand, tell } = usePage(chosenPlayer);
  const { session } = state;
  const names = new Map(session?.jackpots.map((jackpot) => [jackpot.instance_id, jackpot]) ?? []);
  const jackpots = (session?.jackpots ?? []).filter((jackpot) => brand !== null && isFor(jackpot, brand));
  const [featured, ...others] = jackpots;
  const card = (jackpot: SessionJackpot, isFeatured: boolean) => (
    <JackpotCard
      key={jackpot.instance_id}
      jackpot={jackpot}
      live={state.jackpots.get(jackpot.instance_id) ?? null}
      won={state.celebrated?.instanceId === jackpot.instance_id ? state.celebrated : null}
      featured={isFeatured}
      player={player}
      optedIn={state.optIns.get(jackpot.instance_id)}
      tickets={state.tickets.get(jackpot.instance_id)}
      onOptIn={(optedIn) => tell({ kind: 'opt-in', instanceId: jackpot.instance_id, optedIn })}
      onContribute={() => {
        chooseJackpot(jackpot.instance_id);
        document
          .getElementById('contribute')
          ?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
        document.getElementById('base-wager')?.focus({ preventScroll: true });
      }}
    />
  );

  return (
    <div class={`page ${state.connection === 'live' ? '' : 'is-stale'}`}>
      <a class="skip" href="#contribute">
        Skip to the contribution form
      </a>
      <header class="top">
        <h1 class="brand">
          <Mark /> Potstream
        </h1>
        {session && <PlayerChoice session={session} player={player} onChoose={choosePlayer} />}
        {player && <WalletBalance playerId={player.player_id} />}
        <ConnectionChip state={state.connection} />
        <ThemeToggle />
      </header>
      {session === null ? (
        <main class="empty">
          <h2>No demo here</h2>
          <p>This system runs without its demo operator. Start it without --no-demo to see live jackpots.</p>
        </main>
      ) : (
        <main class="columns">
          <section class="jackpots" aria-label="Jackpots">
            {featured ? card(featured, true) : <div class="card featured skeleton" aria-hidden="true" />}
            <div class="others">{others.map((jackpot) => card(jackpot, false))}</div>
          </section>
          <div class="side">
            {session && player ? (
              <ContributePanel
                key={player.player_id}
                session={session}
                jackpots={jackpots}
                player={player}
                chosen={chosenJackpot}
                onChoose={chooseJackpot}
              />
            ) : (
              chosenPlayer !== visitor && <div class="card skeleton" aria-hidden="true" />
            )}
            <Winners winners={state.winners} jackpots={names} player={player} />
          </div>
        </main>
      )}
      <footer class="foot">
        <p>
          Amounts are in the player’s currency, floored to its minor unit, so the page never promises more
          than is in the pot. Each instance’s outcomes form a hash chain; its head is under the pots.
        </p>
        <nav aria-label="More">
          <a href="/verify">Verify a draw</a> <a href="/docs">Interface reference</a>
        </nav>
      </footer>
      <Celebration
        won={state.celebrated}
        jackpots={names}
        onOver={() => tell({ kind: 'celebration over' })}
      />
    </div>
  );
}

function isFor(jackpot: SessionJackpot, brand: string): boolean {
  return jackpot.brands === null || jackpot.brands.includes(brand);
}

function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}
