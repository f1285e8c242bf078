import { type CheckResult, checks as known } from '../../../verifier/src/index.ts';

const words: Readonly<Record<CheckResult['state'], string>> = {
  verified: 'Holds',
  failed: 'Does not hold',
  'not-finished': 'Held so far',
  'not-checked': 'Not checked',
};
const marks: Readonly<Record<CheckResult['state'], string>> = {
  verified: '✓',
  failed: '✗',
  'not-finished': '…',
  'not-checked': '–',
};

/** Every step, what it means, and what came of it. */
export function CheckList({ checks }: { readonly checks: readonly CheckResult[] }) {
  return (
    <section class="card verify-card" aria-labelledby="steps-title">
      <h2 id="steps-title">What was checked</h2>
      <ol class="steps">
        {checks.map(({ detail, id, state, title }) => (
          <li key={id} class={`step is-${state}`} data-testid={`check-${id}`} data-state={state}>
            <span class="step-mark" aria-hidden="true">
              {marks[state]}
            </span>
            <div>
              <h3>
                {title} <span class="step-state">{words[state]}</span>
              </h3>
              <p class="step-about">{known.find((each) => each.id === id)?.explains}</p>
              {detail !== '' && <p class="step-detail">{detail}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
