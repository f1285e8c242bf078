import { expect, it } from 'vitest';
import { nodeHashing } from '../../../src/cli/verify/node-hashing.ts';
import { canonical } from '../../../src/verifier/canonical.ts';
import { Followed } from '../../../src/verifier/followed.ts';
import { verifyEpoch } from '../../../src/verifier/verify.ts';
import { Random } from '../mixed/random.ts';
import { MixedRun } from '../mixed/run.ts';
import { Published } from './published.ts';
import { patienceMs, scaled } from './scale.ts';

const HISTORY = 4000;

/**
 * Proves: whatever the rules and the history, every epoch that is published can be recomputed by somebody who has no
 * line of the engine, and no bit of it can be changed unnoticed. (test/verifier flips every bit of small epochs.)
 */
it('check 13: the verifier accepts every honest epoch and rejects single-bit changes', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(12_000, 1_000_000);
  const flips = scaled(3, 20);
  const seen = { epochs: 0, wins: 0, draws: 0 };
  for (let seed = 1; (seed - 1) * HISTORY < commands; seed++) {
    const published = play(seed);
    for (const instance of published.instances()) {
      verifyAll(published.documents(instance), `history ${seed}, ${instance}`, seen);
      flip(published.documents(instance), new Random(seed), flips);
    }
  }
  expect(seen.epochs).toBeGreaterThan(20);
  expect(seen.wins).toBeGreaterThan(20);
  expect(seen.draws).toBeGreaterThan(1000);
});

function play(seed: number): Published {
  const run = new MixedRun(seed);
  const published = new Published(run.lane);
  for (let next = run.begin(); run.commands < HISTORY; next = run.next()) published.note(run.apply(next));
  return published;
}

function verifyAll(
  documents: readonly string[],
  where: string,
  seen: { epochs: number; wins: number; draws: number },
): void {
  const followed = new Followed();
  let previousHead: string | null = null;
  for (const [epoch, text] of documents.entries()) {
    const document = JSON.parse(text);
    const next = documents[epoch + 1];
    const nextHeader = next === undefined ? null : JSON.parse(next).header;
    const report = verifyEpoch(document, nodeHashing, { followed, previousHead, nextHeader });
    expect(report.failure, `${where}, epoch ${epoch}`).toBeNull();
    previousHead = document.closing?.head ?? null;
    seen.epochs += 1;
    seen.wins += report.counts.wins;
    seen.draws += report.counts.draws;
  }
}

/** Changes one bit of an epoch at a time; white space and the order of members carry nothing. */
function flip(documents: readonly string[], random: Random, times: number): void {
  const text = documents[random.below(documents.length)];
  if (text === undefined) return;
  const bytes = Buffer.from(text, 'latin1');
  const original = canonical(JSON.parse(text));
  for (let i = 0; i < times; i++) {
    const bit = random.below(bytes.length * 8);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    const changed = parsed(bytes.toString('latin1'));
    if (changed !== undefined && canonical(changed) !== original) {
      expect(verifyEpoch(changed, nodeHashing).verified, `bit ${bit} of ${text.slice(0, 200)}`).toBe(false);
    }
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a parser gives.
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
