import { useState } from 'preact/hooks';
import { sendOptIn } from '../session/opt-in.ts';
import type { SessionJackpot, SessionPlayer } from '../session/shapes.ts';

interface Properties {
  readonly jackpot: SessionJackpot;
  readonly player: SessionPlayer;
  /** undefined: not known yet. */
  readonly optedIn: boolean | undefined;
  readonly onChanged: (optedIn: boolean) => void;
}

/** Joins or leaves a jackpot as the player's own frontend does, with the player's token (O14). */
export function OptInSwitch({ jackpot, player, optedIn, onChanged }: Properties) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = optedIn !== true;
  const change = async () => {
    setSending(true);
    try {
      const refusal = await sendOptIn(jackpot, player, wanted);
      setProblem(refusal);
      if (refusal === null) onChanged(wanted);
    } catch {
      setProblem('No answer; try again.');
    }
    setSending(false);
  };
  return (
    <div class="opt-in">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={optedIn === true}
        disabled={sending || optedIn === undefined}
        data-testid="opt-in"
        onClick={() => void change()}
      >
        <span class="switch-track" aria-hidden="true" />
        {optedIn === true ? 'Opted in' : 'Opt in'}
        <span class="for-readers"> to {jackpot.name}</span>
      </button>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
