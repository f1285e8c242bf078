import type { Steps } from './turns.ts';

/** Comparisons of one step: about a millisecond. */
const comparisonsPerStep = 10_000;

/** The indices 0 to `count − 1` in order, in steps. Stable. */
export function* sortedIndices(count: number, compare: (a: number, b: number) => number): Steps<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, index) => index);
  let to = new Uint32Array(count);
  let done = 0;
  for (let width = 1; width < count; width *= 2) {
    for (let left = 0; left < count; left += 2 * width) {
      const middle = Math.min(left + width, count);
      const right = Math.min(left + 2 * width, count);
      let a = left;
      let b = middle;
      for (let at = left; at < right; at += 1) {
        const takesLeft = a < middle && (b >= right || compare(from[a]!, from[b]!) <= 0);
        to[at] = takesLeft ? from[a++]! : from[b++]!;
        done += 1;
        if (done % comparisonsPerStep === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
