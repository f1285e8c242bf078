import type { LiveJackpot } from '../state/state.ts';

const width = 300;
const height = 60;
const minPoints = 3;

/** How the pots grew over the last minute and a half; a drawing only, the numbers stand beside it. */
export function GrowthLine({ history }: { history: LiveJackpot['history'] }) {
  const line = points(history);
  if (line === null) return <svg class="growth" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />;
  return (
    <svg class="growth" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="growth-area" d={`M0 ${height}L${line}L${width} ${height}Z`} />
      <path class="growth-line" d={`M${line}`} />
    </svg>
  );
}

/** What flowed in during the last minute, or null while there is too little to tell. */
export function perMinute(history: LiveJackpot['history']): bigint | null {
  const first = history[0];
  const last = history.at(-1);
  if (first === undefined || last === undefined) return null;
  const elapsedMs = last.atMs - first.atMs;
  if (elapsedMs < 5000) return null;
  return ((last.inflowAtoms - first.inflowAtoms) * 60_000n) / BigInt(Math.round(elapsedMs));
}

/** Places on the drawing; the only floats of the page, and none of them is shown as a number. */
function points(history: LiveJackpot['history']): string | null {
  const first = history[0];
  const last = history.at(-1);
  if (first === undefined || last === undefined || history.length < minPoints) return null;
  if (last.inflowAtoms === first.inflowAtoms) return null;
  const spanMs = Math.max(1, last.atMs - first.atMs);
  const rise = Number(last.inflowAtoms - first.inflowAtoms);
  return history
    .map((point) => {
      const x = ((point.atMs - first.atMs) / spanMs) * width;
      const y = height - 3 - (Number(point.inflowAtoms - first.inflowAtoms) / rise) * (height - 8);
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('L');
}
