import { useEffect, useState } from 'preact/hooks';
import type { Report } from '../../../verifier/src/index.ts';
import { timeLeft } from '../parts/deadline.ts';
import type { Stage } from './use-verification.ts';

const fullPercent = 100;

/** The answer, in one line; and while it is being computed, how far it is. */
export function Verdict({ onAgain, stage }: { readonly stage: Stage; readonly onAgain: () => void }) {
  return (
    <div class="verdict-place" aria-live="polite" data-testid="verdict" data-stage={stage.kind}>
      {stage.kind === 'reading' && <Busy words="Reading what is public…" done={null} />}
      {stage.kind === 'verifying' && <Busy words="Computing every draw again…" done={stage.done} />}
      {stage.kind === 'done' && <Done report={stage.report} />}
      {(stage.kind === 'nothing' || stage.kind === 'waiting') && (
        <section class="card verdict is-waiting">
          <h2>{stage.kind === 'waiting' ? 'Not public yet' : 'This cannot be verified'}</h2>
          <p class="verdict-words">{stage.message}</p>
          {stage.kind === 'waiting' && <Opening endMs={stage.endMs} />}
          {stage.kind === 'waiting' && stage.commit && (
            <p class="verdict-words verdict-hash">
              Commitment <code>{stage.commit}</code>
            </p>
          )}
          {stage.kind === 'nothing' && (
            <button type="button" class="quiet verdict-again" onClick={onAgain}>
              Try again
            </button>
          )}
        </section>
      )}
    </div>
  );
}

/** How long until the proof opens. Nobody wants to hear every second. */
function Opening({ endMs }: { readonly endMs: number | null }) {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const leftMs = endMs === null ? 0 : endMs - nowMs;
  return (
    <p class="verdict-opening" role="timer" aria-live="off" data-testid="opening">
      {leftMs > 0 ? (
        <>
          Opens by itself in <strong>{timeLeft(leftMs)}</strong>
        </>
      ) : (
        'Opens by itself in a moment'
      )}
    </p>
  );
}

function Busy({ done, words }: { readonly words: string; readonly done: number | null }) {
  return (
    <section class="card verdict is-busy">
      <h2>{words}</h2>
      <progress max={fullPercent} value={done === null ? undefined : done * fullPercent} aria-label={words} />
    </section>
  );
}

function Done({ report }: { readonly report: Report }) {
  const { commit, counts, epoch, failure, firstSequence, head, instance, lastSequence, verified } = report;
  return (
    <section
      class={`card verdict ${verified ? 'is-verified' : 'is-failed'}`}
      data-verified={String(verified)}
    >
      <p class="verdict-mark" aria-hidden="true">
        {verified ? '✓' : '✗'}
      </p>
      <div>
        <h2>{verified ? 'Verified: every draw is as it was committed' : 'Something does not hold'}</h2>
        {failure === null ? (
          <p class="verdict-words">
            <strong>{many(counts.contributions, 'contribution')}</strong>,{' '}
            <strong>{many(counts.draws, 'draw')}</strong> and <strong>{many(counts.wins, 'win')}</strong> were
            computed again
            {lastSequence !== null && firstSequence !== null && lastSequence >= firstSequence
              ? `, numbers ${firstSequence.toLocaleString('en')} to ${lastSequence.toLocaleString('en')}`
              : ''}
            .
          </p>
        ) : (
          <p class="verdict-words">
            {failure.sequence !== null && <strong>At number {failure.sequence}: </strong>}
            {failure.message}. What is behind it was not looked at.
          </p>
        )}
        {instance !== null && (
          <dl class="verdict-facts">
            <div>
              <dt>Jackpot</dt>
              <dd>
                {instance}, epoch {epoch}
              </dd>
            </div>
            <Hash name="Commitment" value={commit} />
            <Hash name="Last head" value={head} />
          </dl>
        )}
      </div>
    </section>
  );
}

function Hash({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}

function many(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
