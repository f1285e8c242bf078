import { useEffect, useId, useState } from 'preact/hooks';
import { parseAtoms } from '../money/decimal.ts';
import {
  type ContributionAnswer,
  type ContributionRequest,
  sendContribution,
} from '../session/contribute.ts';
import type { Session, SessionJackpot, SessionPlayer } from '../session/shapes.ts';
import { Answer } from './answer.tsx';
import { Choice } from './choice.tsx';
import { wordsOf } from './words.ts';

interface Properties {
  readonly session: Session;
  /** Those that the player's brand may contribute to. */
  readonly jackpots: readonly SessionJackpot[];
  readonly player: SessionPlayer;
  /** The jackpot that was chosen on a card. */
  readonly chosen: string | null;
  readonly onChoose: (instanceId: string) => void;
}

/** Sends one contribution of the player, and the same one again to show that a retry changes nothing. */
export function ContributePanel({ session, jackpots, player, chosen, onChoose }: Properties) {
  const [target, setTarget] = useState('');
  const [wager, setWager] = useState('10.00');
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<ContributionRequest | null>(null);
  const [answer, setAnswer] = useState<ContributionAnswer | 'lost' | null>(null);
  const wagerProblem = useId();

  useEffect(() => {
    if (chosen !== null) setTarget(`instance ${chosen}`);
  }, [chosen]);

  const targets = targetsOf(session, jackpots);
  const currentTarget = targets.find((candidate) => candidate.value === target) ?? targets[0];
  const atoms = parseAtoms(wager);
  const wagerIsGood = atoms !== null && atoms > 0n;

  const send = async (request: ContributionRequest) => {
    setSending(true);
    setSent(request);
    try {
      setAnswer(await sendContribution(request));
    } catch {
      setAnswer('lost');
    }
    setSending(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!wagerIsGood || currentTarget === undefined || sending) return;
    const [type, id] = currentTarget.value.split(' ') as ['instance' | 'source', string];
    void send({
      target: { type, id },
      brand_id: player.brand_id,
      player_id: player.player_id,
      base_wager: wager.trim(),
      currency: player.currency,
      idempotency_key: `page-${crypto.randomUUID()}`,
    });
  };

  return (
    <section class="card contribute" id="contribute" aria-labelledby="contribute-title">
      <h2 id="contribute-title">Send a contribution</h2>
      <p class="muted">A bet of {player.player_id}, as the operator’s game server reports it.</p>
      <form onSubmit={submit} noValidate>
        <Choice
          label="Where"
          value={currentTarget?.value ?? ''}
          groups={[
            { label: 'By source', options: targets.filter((option) => option.value.startsWith('source')) },
            {
              label: 'To a jackpot',
              options: targets.filter((option) => option.value.startsWith('instance')),
            },
          ]}
          onChange={(value) => {
            setTarget(value);
            if (value.startsWith('instance ')) onChoose(value.slice('instance '.length));
          }}
        />
        <label class="field">
          <span>Wager in {player.currency}</span>
          <input
            id="base-wager"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={wager}
            aria-invalid={!wagerIsGood}
            aria-describedby={wagerIsGood ? undefined : wagerProblem}
            onInput={(event) => setWager(event.currentTarget.value)}
          />
        </label>
        {!wagerIsGood && (
          <p class="problem" id={wagerProblem}>
            A wager is a positive number with at most eight decimals.
          </p>
        )}
        <button type="submit" class="primary" disabled={sending || !wagerIsGood} data-testid="send">
          {sending ? 'Sending…' : 'Send contribution'}
        </button>
      </form>
      <div class="answer-place" aria-live="polite">
        {answer !== null && sent !== null && (
          <Answer answer={answer} sending={sending} onRepeat={() => void send(sent)} />
        )}
      </div>
    </section>
  );
}

function targetsOf(
  session: Session,
  jackpots: readonly SessionJackpot[],
): { value: string; label: string }[] {
  return [
    ...session.sources.map(({ source_id, name }) => ({
      value: `source ${source_id}`,
      label: name || wordsOf(source_id),
    })),
    ...jackpots.map(({ instance_id, name }) => ({ value: `instance ${instance_id}`, label: name })),
  ];
}
