import { parseAtoms } from '../money/decimal.ts';
import { formatMoney } from '../money/format.ts';
import type { ContributionAnswer } from '../session/contribute.ts';
import { wordsOf } from './words.ts';

interface Properties {
  readonly answer: ContributionAnswer | 'lost';
  readonly sending: boolean;
  readonly onRepeat: () => void;
}

/** What the service answered, in words first and then to the letter. */
export function Answer({ answer, sending, onRepeat }: Properties) {
  const lost = answer === 'lost';
  const tone = lost || answer.error !== null ? 'bad' : winOf(answer) === null ? 'good' : 'won';
  return (
    <div class={`answer is-${tone}`} data-testid="answer" data-status={lost ? '' : answer.status}>
      <p class="answer-head">
        <strong>{lost ? 'No answer' : sentence(answer)}</strong>
        {!lost && (
          <span class="answer-status">
            {answer.status} · {Math.max(1, Math.round(answer.tookMs))} ms
          </span>
        )}
      </p>
      {lost && (
        <p>It may have been applied. Sending the same one again is safe: its key makes sure of that.</p>
      )}
      {!lost && answer.error !== null && (
        <p>
          {answer.error.message} <code>{answer.error.code}</code>
        </p>
      )}
      {!lost && answer.headers.length > 0 && (
        <details>
          <summary>Headers of the answer</summary>
          <dl class="headers">
            {answer.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <button type="button" class="quiet" onClick={onRepeat} disabled={sending} data-testid="repeat">
        Send the same again
      </button>
    </div>
  );
}

function sentence(answer: ContributionAnswer): string {
  if (answer.error !== null) return 'Refused, nothing changed';
  const win = winOf(answer);
  if (win !== null) return `Won ${win}`;
  if (answer.status === 204) return 'Known already, counted once';
  const result = answer.result;
  if (result === null) return 'Accepted';
  const amount = parseAtoms(result.contribution_amount) ?? 0n;
  return `${formatMoney(amount, result.contribution_currency)} contributed, no win this time`;
}

/** The win as the headers tell it, so that a retry shows it too. */
function winOf(answer: ContributionAnswer): string | null {
  const header = (wanted: string) => answer.headers.find(([name]) => name === wanted)?.[1];
  const pot = header('X-Win-Pot-Id');
  const amount = parseAtoms(header('X-Win-Amount') ?? '');
  const currency = header('X-Win-Currency');
  if (pot === undefined || amount === null || currency === undefined) return null;
  return `${formatMoney(amount, currency)} from the ${wordsOf(pot)} pot`;
}
