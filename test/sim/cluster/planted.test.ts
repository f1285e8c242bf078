import { afterEach, expect, it, vi } from 'vitest';
import * as bugs from './bugs.ts';
import type { Bug } from './cluster.ts';
import { livePlan } from './live.ts';
import { asTest, minimise, signatureOf } from './minimise.ts';
import { type Plan, planOf } from './plan.ts';

/** A bug must be found within them; without it all of these seeds are clean. */
const seeds = 400;

afterEach(() => void vi.restoreAllMocks());

/** Bugs, how the campaign says that it has found them, and the seed that did: it is tried before the others. */
const found: Readonly<Record<string, readonly [RegExp, () => Bug, number?]>> = {
  'an owner stores outcomes without the fence': [/./, bugs.unfencedOutcomes, 3],
  'a block lacks a record': [/./, bugs.holeBetweenBlocks],
  'a block is stored twice': [/./, bugs.blockTwice],
  'a block overlaps the one before': [/./, bugs.overlappingBlock],
  'the fence of a block skips a record': [/./, bugs.fenceThatSkips],
  'an owner that lost its lane goes on': [/emissions of an owner before/, bugs.ownerThatStays],
  'a lease is renewed without its TTL': [/an owner and a warm standby/, bugs.leasesWithoutTtl, 11],
  'a reply is made before its message is applied': [/live values in the reply to/, bugs.replyBeforeApply],
  'a batch is dropped when the connection is made again': [
    /an answer for every call/,
    bugs.dropsBatchOnRedial,
    54,
  ],
  'a batch is sent again under another id': [/./, bugs.batchWithOtherIds, 12],
  'a batch is acknowledged before it is stored': [/./, bugs.acknowledgesBeforeItStores],
  'a snapshot is one message short': [/./, bugs.snapshotOneShort],
  'a snapshot is ahead of OUT': [/when OUT ended at/, bugs.snapshotAheadOfOutcomes],
  'idempotency keys are lost in a snapshot': [/./, bugs.snapshotWithoutKeys],
  'a standby emits': [/emissions of an owner before/, bugs.standbyThatEmits],
  'the order of an iteration depends on the process': [/./, bugs.unorderedIteration],
  'an upgrade is applied by one host only': [/./, bugs.upgradeOfOneHost],
  'an old owner drops its pending records': [/./, bugs.dropsPendingRecords, 91],
};

it.each(Object.entries(found))('finds that %s', async (_, [message, bug, known = 1]) => {
  const failed: string[] = [];
  const isNamed = () => failed.some((each) => message.test(each));
  for (let tried = 0; tried <= seeds && !isNamed(); tried += 1) {
    const failure = await failureOf(planOf(tried === 0 ? known : tried), bug);
    if (failure !== null) failed.push(failure.message);
  }
  expect(isNamed(), failed.join('\n')).toBe(true);
});

it('minimises a plan that fails, and prints it as a test', async () => {
  const bug = bugs.ownerThatStays;
  let plan = planOf(1);
  let failure: Error | null = null;
  for (let seed = 1; failure === null; seed += 1) {
    plan = planOf(seed);
    failure = await failureOf(plan, bug);
  }
  const signature = signatureOf(failure);
  const fails = async (tried: Plan) => {
    const tryFailure = await failureOf(tried, bug);
    return tryFailure !== null && signatureOf(tryFailure) === signature;
  };
  const minimal = await minimise(plan, fails);
  expect(await fails(minimal)).toBe(true);
  expect(minimal.faults.length).toBeLessThan(plan.faults.length);
  expect(minimal.calls.length).toBeLessThan(plan.calls.length / 2);
  for (const fault of minimal.faults)
    expect(await fails({ ...minimal, faults: minimal.faults.filter((each) => each !== fault) })).toBe(false);
  const [, literal = ''] = /livePlan\((\{.*\})\);\n\}\);/s.exec(asTest(minimal, failure.message)) ?? [];
  expect(new Function(`return ${literal}`)()).toEqual(minimal);
  // Without the bug it passes.
  await livePlan(minimal);
});

async function failureOf(plan: Plan, bug: () => Bug): Promise<Error | null> {
  try {
    await livePlan(plan, bug());
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    vi.restoreAllMocks();
  }
}
