import type { Instance } from '../../api/rows.ts';
import { rulesInWords } from './rule-words.ts';

/** What the jackpot's configuration comes to. */
export function Rules({ instance }: { readonly instance: Instance }) {
  return (
    <section className="card" aria-label="Rules">
      <h2>Rules</h2>
      <ul>
        {rulesInWords(instance).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
