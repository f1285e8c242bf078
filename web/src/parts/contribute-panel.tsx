import { useEffect, useId, useState } from 'preact/hooks';
import { parseAtoms } from '../money/decimal.ts';
import {
  type ContributionAnswer,
  type ContributionRequest,
  sendContribution,
} from '../session/contribute.ts';
import type { Session } from '../session/shapes.ts';
import { Answer } from './answer.tsx';
import { Choice } from './choice.tsx';
import { wordsOf } from './words.ts';

interface Properties {
  readonly session: Session;
  /** The jackpot that was chosen on a card. */
  readonly chosen: string | null;
  readonly onChoose: (instanceId: string) => void;
}

/** Sends one contribution of a demo player, and the same one again to show that a retry changes nothing. */
export function ContributePanel({ session, chosen, onChoose }: Properties) {
  const [target, setTarget] = useState('');
  const [player, setPlayer] = useState('');
  const [currency, setCurrency] = useState('');
  const [wager, setWager] = useState('10.00');
  const [brand, setBrand] = useState(session.brands[0]?.brand_id ?? '');
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<ContributionRequest | null>(null);
  const [answer, setAnswer] = useState<ContributionAnswer | 'lost' | null>(null);
  const wagerProblem = useId();

  useEffect(() => {
    if (chosen !== null) setTarget(`instance ${chosen}`);
  }, [chosen]);

  const players = session.players.filter((candidate) => candidate.brand_id === brand);
  const currentPlayer = players.find((candidate) => candidate.player_id === player) ?? players[0];
  const targets = targetsOf(session);
  const currentTarget = targets.find((candidate) => candidate.value === target) ?? targets[0];
  const currentCurrency = currency || (currentPlayer?.currency ?? session.currencies[0] ?? 'EUR');
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
    if (!wagerIsGood || currentTarget === undefined || currentPlayer === undefined || sending) return;
    const [type, id] = currentTarget.value.split(' ') as ['instance' | 'source', string];
    void send({
      target: { type, id },
      brand_id: brand,
      player_id: currentPlayer.player_id,
      base_wager: wager.trim(),
      currency: currentCurrency,
      idempotency_key: `page-${crypto.randomUUID()}`,
    });
  };

  return (
    <section class="card contribute" id="contribute" aria-labelledby="contribute-title">
      <h2 id="contribute-title">Send a contribution</h2>
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
        <Choice
          label="Brand"
          value={brand}
          groups={[
            { options: session.brands.map(({ brand_id, name }) => ({ value: brand_id, label: name })) },
          ]}
          onChange={setBrand}
        />
        <Choice
          label="Player"
          value={currentPlayer?.player_id ?? ''}
          groups={[{ options: players.map(({ player_id }) => ({ value: player_id, label: player_id })) }]}
          onChange={(value) => {
            setPlayer(value);
            setCurrency('');
          }}
        />
        <label class="field">
          <span>Wager</span>
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
        <Choice
          label="Currency"
          value={currentCurrency}
          groups={[{ options: session.currencies.map((code) => ({ value: code, label: code })) }]}
          onChange={setCurrency}
        />
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

function targetsOf(session: Session): { value: string; label: string }[] {
  return [
    ...session.sources.map(({ source_id, name }) => ({
      value: `source ${source_id}`,
      label: name || wordsOf(source_id),
    })),
    ...session.jackpots.map(({ instance_id, name }) => ({ value: `instance ${instance_id}`, label: name })),
  ];
}
