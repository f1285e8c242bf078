import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainContribution } from '../../src/actors/replica/plain-contribution.ts';
import { encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import { unpackBatch } from '../../src/messages/codec/commands.ts';
import { readContributions } from '../../src/messages/codec/contributions-reader.ts';
import { storedHeaderBytes, unpackValue } from '../../src/messages/codec/frame.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import * as arbitrary from './arbitraries.ts';

const batches = fc.record({
  batchId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  gateway: fc.string({ maxLength: 20 }),
  commands: fc.array(arbitrary.contribute, { maxLength: 20 }),
});

/** What a gateway mostly writes: ids of ASCII, and amounts of 64 bits. */
const usual: fc.Arbitrary<Contribute> = fc
  .record({
    contributionId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    instance: fc.stringMatching(/^[a-z0-9-]{1,36}$/),
    operator: fc.constantFrom('op', 'other'),
    brand: fc.constantFrom('op:main', 'other:main'),
    player: fc.oneof(fc.stringMatching(/^[ -~]{0,90}$/), fc.constantFrom('é', '玩家', '\u{1f600}')),
    country: fc.constantFrom('', 'DE', 'US-NJ'),
    baseWagerAtoms: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    currency: fc.constantFrom('EUR', 'GBP'),
    gameround: fc.stringMatching(/^[a-z0-9-]{0,36}$/),
    idempotencyKey: fc.option(fc.uint8Array({ minLength: 16, maxLength: 16 }), { nil: null }),
  })
  .map(plainContribution);

function payloadOf(batch: Parameters<typeof encodeCommandBatch>[0]): Uint8Array {
  return encodeCommandBatch(batch).subarray(storedHeaderBytes);
}

it('reads the usual contributions as the general reader does', () => {
  fc.assert(
    fc.property(fc.array(usual, { maxLength: 40 }), (commands) => {
      const payload = payloadOf({ batchId: new Uint8Array(16), gateway: 'gateway', commands });
      const read = readContributions(payload);
      expect(read).not.toBeNull();
      expect(read).toEqual(unpackBatch(unpackValue(payload)));
    }),
  );
});

it('reads any contributions as the general reader does, or leaves them to it', () => {
  let read = 0;
  fc.assert(
    fc.property(batches, (batch) => {
      const payload = payloadOf(batch);
      const contributions = readContributions(payload);
      if (contributions === null) return;
      read += batch.commands.length;
      expect(contributions).toEqual(unpackBatch(unpackValue(payload)));
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(0);
});

it('leaves other commands to the general reader', () => {
  const tick = { kind: 'Tick', instance: 'jackpot' } as const;
  const [one] = fc.sample(usual, { numRuns: 1, seed: 1 });
  for (const commands of [[tick], [one!, tick]])
    expect(readContributions(payloadOf({ batchId: new Uint8Array(16), gateway: '', commands }))).toBeNull();
});

it('reads damaged bytes as the general reader does, or leaves them to it', () => {
  const commands = fc.array(fc.oneof(usual, arbitrary.contribute), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(commands, fc.nat(), fc.nat(255), fc.boolean(), (made, position, value, cut) => {
      const whole = payloadOf({ batchId: new Uint8Array(16), gateway: 'gateway', commands: made });
      const at = position % whole.length;
      const payload = whole.slice(0, cut ? at : whole.length);
      if (!cut) payload[at] = value;
      const read = readContributions(payload);
      if (read !== null) expect(read).toEqual(unpackBatch(unpackValue(payload)));
    }),
    { numRuns: 400, endOnFailure: true },
  );
});
