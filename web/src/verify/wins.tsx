import type { ReportedWin } from '../../../verifier/src/index.ts';
import { formatMoney } from '../money/format.ts';
import { wordsOf } from '../parts/words.ts';

interface Properties {
  readonly wins: readonly ReportedWin[];
  readonly total: number;
  readonly currency: string;
  readonly shown: number | null;
  readonly onShow: (sequence: number) => void;
}

const maxShown = 200;

/** The wins of the epoch; each leads to its draw. */
export function Wins({ currency, onShow, shown, total, wins }: Properties) {
  const listed = wins.slice(0, maxShown);
  return (
    <section class="card verify-card" aria-labelledby="wins-title">
      <h2 id="wins-title">Wins of this epoch</h2>
      <div class="wins-scroll">
        <table class="wins">
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Pot</th>
              <th scope="col" class="is-amount">
                Amount
              </th>
              <th scope="col">
                <span class="for-readers">Show the draw</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ amount, pot, sequence, timestampMs }) => (
              <tr key={sequence} aria-current={sequence === shown ? 'true' : undefined}>
                <td>{sequence.toLocaleString('en')}</td>
                <td>
                  <span class="wins-date">{new Date(timestampMs).toISOString().slice(0, 10)} </span>
                  {new Date(timestampMs).toISOString().slice(11, 19)}
                </td>
                <td>{wordsOf(pot)}</td>
                <td class="is-amount">{formatMoney(BigInt(amount), currency)}</td>
                <td>
                  <button type="button" class="quiet wins-show" onClick={() => onShow(sequence)}>
                    Show<span class="for-readers"> draw {sequence}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > listed.length && (
        <p class="muted">
          The first {listed.length} of {total.toLocaleString('en')} wins. Type a number above to see any draw.
        </p>
      )}
    </section>
  );
}
