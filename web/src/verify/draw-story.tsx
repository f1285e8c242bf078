import type { ReportedDraw, ReportedEvaluation } from '../../../verifier/src/index.ts';
import { formatMoney } from '../money/format.ts';
import { wordsOf } from '../parts/words.ts';

interface Properties {
  readonly draw: ReportedDraw;
  readonly currency: string;
}

/** One contribution, from its input to its outcome. */
export function DrawStory({ currency, draw }: Properties) {
  const { win } = draw;
  return (
    <section class="card verify-card draw" aria-labelledby="draw-title" data-testid="draw">
      <h2 id="draw-title">Draw number {draw.sequence.toLocaleString('en')}</h2>
      <p class="muted">
        {new Date(draw.timestampMs).toLocaleString('en-GB', { timeZone: 'UTC' })} UTC
        {draw.contributionId === null
          ? ': not a contribution, but an act of an administrator.'
          : `: a contribution of ${formatMoney(BigInt(draw.contribution), currency)}.`}
      </p>
      {win !== null && (
        <p class="draw-win">
          <span>Won {wordsOf(String(win.pot))}</span>
          <strong>{formatMoney(BigInt(String(win.win)), currency)}</strong>
        </p>
      )}
      <ul class="evaluations">
        {draw.evaluations.map((evaluation, index) => (
          <Evaluation key={index} evaluation={evaluation} currency={currency} />
        ))}
      </ul>
      <details>
        <summary>Where the numbers come from</summary>
        <p>
          All contributions of one message share one stream of random numbers. Its key is computed from the
          seed, the rules, the place in the chain and all inputs of the message, so neither side could have
          chosen it alone. Each number is cut to the bits that it needs and taken if it is below its limit,
          otherwise the next one is.
        </p>
        <dl class="facts">
          <Fact name="Contribution" value={draw.contributionId} />
          <Fact name="Player (pseudonym)" value={draw.player} />
          <Fact name="Message from number" value={String(draw.messageFirstSequence)} />
          <Fact name="Inputs (SHA-256)" value={draw.inputsHash} />
          <Fact name="Key of the stream" value={draw.streamKey} />
          <Fact name="Head after the message" value={draw.head} />
        </dl>
      </details>
    </section>
  );
}

function Evaluation({
  currency,
  evaluation,
}: {
  readonly evaluation: ReportedEvaluation;
  readonly currency: string;
}) {
  const { den, lanes, num, outcome, pot, trigger, u, value } = evaluation;
  const isChance = lanes.length > 0;
  return (
    <li class={`evaluation is-${outcome}`}>
      <p class="evaluation-head">
        <strong>{wordsOf(pot)}</strong>
        <span class="muted">
          {kinds[trigger] ?? trigger}, {formatMoney(BigInt(value), currency)}
        </span>
        <span class="evaluation-outcome">{outcomes[outcome]}</span>
      </p>
      {isChance && <Scale num={BigInt(num)} den={BigInt(den)} u={BigInt(u)} />}
      {isChance && (
        <p class="evaluation-words">
          Drawn <code>{u}</code>; below <code>{num}</code> of <code>{den}</code> wins: {chance(num, den)}.
        </p>
      )}
      {isChance && (
        <p class="evaluation-words muted">
          Taken from the stream: <code>{lanes.join(' ')}</code>
        </p>
      )}
    </li>
  );
}

/** Where the number fell: the winning part is on the left. */
function Scale({ den, num, u }: { readonly num: bigint; readonly den: bigint; readonly u: bigint }) {
  return (
    <svg class="scale" viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden="true">
      <rect class="scale-all" x="0" y="11" width="1000" height="6" rx="3" />
      <rect class="scale-wins" x="0" y="9" width={Math.max(3, thousandths(num, den))} height="10" rx="2" />
      <rect class="scale-drawn" x={Math.min(996, thousandths(u, den))} y="3" width="4" height="22" rx="2" />
    </svg>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null || value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}

const outcomes: Readonly<Record<ReportedEvaluation['outcome'], string>> = {
  won: 'Hit',
  void: 'Hit, but another pot was paid',
  missed: 'No hit',
  blocked: 'Not open for a win yet',
  'not-qualified': 'The contribution does not qualify',
  'not-drawn': 'Not drawn',
};

const kinds: Readonly<Record<string, string>> = {
  HitRate: 'by chance',
  Threshold: 'must hit by value',
  Time: 'must drop by time',
  External: 'by an administrator',
};

function thousandths(part: bigint, whole: bigint): number {
  return Number((part * 1000n) / whole);
}

/** Odds in words. */
function chance(num: string, den: string): string {
  const ratio = Number(den) / Number(num);
  return ratio >= 100
    ? `a chance of 1 in ${Math.round(ratio).toLocaleString('en')}`
    : `a chance of ${(100 / ratio).toPrecision(3)} %`;
}
