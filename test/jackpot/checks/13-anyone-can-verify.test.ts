import { expect, it } from 'vitest';
import { nodeHashing } from '../../../tools/verify/node-hashing.ts';
import { canonical } from '../../../verifier/src/canonical.ts';
import { Followed } from '../../../verifier/src/followed.ts';
import { type VerifyOptions, verifyEpoch } from '../../../verifier/src/verify.ts';
import { Random } from '../mixed/random.ts';
import { MixedRun } from '../mixed/run.ts';
import { Published } from './published.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const history = 4000;

/**
 * Proves: whatever the rules and the history, every epoch that is published can be recomputed by somebody who has no
 * line of the engine, and no bit of it can be changed unnoticed. (test/verifier flips every bit of small epochs.)
 * In whole: every epoch of a million commands of every kind, and three random bits of one epoch in four.
 */
it('check 13: the verifier accepts every honest epoch and rejects single-bit changes', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(7_000, 1_000_000);
  const flips = scaled(1, 3);
  const seen: Seen = { commands: 0, epochs: 0, wins: 0, draws: 0, 'bits changed': 0 };
  for (let seed = 1; seen.commands < commands; seed++) {
    const published = play(seed, seen);
    for (const instance of published.instances()) {
      verifyAll(published.documents(instance), `history ${seed}, ${instance}`, seen, new Random(seed), flips);
    }
  }
  saw('check 13', seen);
  expect(seen.epochs).toBeGreaterThan(20);
  expect(seen.wins).toBeGreaterThan(20);
  expect(seen.draws).toBeGreaterThan(1000);
});

type Seen = Record<'commands' | 'epochs' | 'wins' | 'draws' | 'bits changed', number>;

function play(seed: number, seen: Seen): Published {
  const run = new MixedRun(seed);
  const published = new Published(run.lane);
  for (let next = run.begin(); run.commands < history; next = run.next()) published.note(run.apply(next));
  seen.commands += run.commands;
  return published;
}

/** One epoch behind the other, as somebody who follows an instance does it; bits of some are changed first. */
function verifyAll(
  documents: readonly string[],
  where: string,
  seen: Seen,
  random: Random,
  flips: number,
): void {
  const followed = new Followed();
  let previousHead: string | null = null;
  for (const [epoch, text] of documents.entries()) {
    const document = JSON.parse(text);
    const next = documents[epoch + 1];
    const nextHeader = next === undefined ? null : JSON.parse(next).header;
    const options = { followed, previousHead, nextHeader };
    if (next !== undefined && random.once(4)) {
      for (let i = 0; i < flips; i++) {
        const isChanged = flip(text, random, { ...options, followed: followed.copy() });
        if (isChanged) seen['bits changed'] += 1;
      }
    }
    const report = verifyEpoch(document, nodeHashing, options);
    expect(report.failure, `${where}, epoch ${epoch}`).toBeNull();
    // Who has this file and no other must not be told that it is wrong.
    const alone = verifyEpoch(document, nodeHashing);
    expect(alone.failure, `${where}, epoch ${epoch} alone`).toBeNull();
    previousHead = document.closing?.head ?? null;
    seen.epochs += 1;
    seen.wins += report.counts.wins;
    seen.draws += report.counts.draws;
  }
}

/** Changes one bit of an epoch, if that changes what it says: white space and the order of members carry nothing. */
function flip(text: string, random: Random, options: VerifyOptions): boolean {
  const bytes = Buffer.from(text, 'latin1');
  const bit = random.below(bytes.length * 8);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  const changed = parsed(bytes.toString('latin1'));
  if (changed === undefined || canonical(changed) === canonical(JSON.parse(text))) return false;
  const from = Math.max(0, (bit >> 3) - 60);
  const around = bytes.toString('latin1').slice(from, from + 120);
  expect(verifyEpoch(changed, nodeHashing, options).verified, `bit ${bit}: ${around}`).toBe(false);
  return true;
}

// biome-ignore lint/suspicious/noExplicitAny: what a parser gives.
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
