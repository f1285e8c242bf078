import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packBatch } from '../../src/messages/codec/commands.ts';
import { writeContributions } from '../../src/messages/codec/contributions-writer.ts';
import { frameStored } from '../../src/messages/codec/frame.ts';
import * as arbitrary from './arbitraries.ts';

/** Amounts are signed integers of 64 bits. */
const atoms = (value: bigint) => BigInt.asIntN(64, value);
const contribute = arbitrary.contribute.map((command) => ({
  ...command,
  baseWagerAtoms: atoms(command.baseWagerAtoms),
  maxBetAtoms: command.maxBetAtoms === null ? null : atoms(command.maxBetAtoms),
  bonus: command.bonus === null ? null : { ...command.bonus, amountAtoms: atoms(command.bonus.amountAtoms) },
}));
const batches = fc.record({
  batchId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  gateway: fc.string({ maxLength: 20 }),
  commands: fc.array(contribute, { maxLength: 40 }),
});

it('writes the bytes that the general writer makes of a batch of contributions', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const frame = writeContributions(batch);
      expect(frame).not.toBeNull();
      expect(Buffer.from(frame!).equals(frameStored(packBatch(batch)))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('writes texts of any length as the general writer does', () => {
  const [one] = fc.sample(contribute, { numRuns: 1, seed: 1 });
  for (const unit of ['x', 'é', '玩', '\u{1f600}'])
    for (const length of [0, 1, 10, 31, 32, 33, 85, 86, 127, 128, 255, 256, 4_000, 10_000]) {
      const text = unit.repeat(length);
      const commands = [{ ...one!, player: text, metadata: text, segments: [text, 'a'] }];
      const batch = { batchId: new Uint8Array(16), gateway: 'gateway', commands };
      expect(Buffer.from(writeContributions(batch)!).equals(frameStored(packBatch(batch)))).toBe(true);
    }
});

it('keeps nothing of a batch that came before', () => {
  const made = fc.sample(batches, { numRuns: 20, seed: 2 });
  const frames = made.map((batch) => writeContributions(batch));
  for (const [index, batch] of made.entries())
    expect(Buffer.from(frames[index]!).equals(frameStored(packBatch(batch)))).toBe(true);
});

it('leaves other commands, and what is too wide, to the general writer', () => {
  const [one] = fc.sample(contribute, { numRuns: 1, seed: 1 });
  const tick = { kind: 'Tick', instance: 'jackpot' } as const;
  for (const commands of [
    [tick],
    [one!, tick],
    [{ ...one!, baseWagerAtoms: 2n ** 63n }],
    [{ ...one!, maxBetAtoms: -(2n ** 63n) - 1n }],
    [{ ...one!, player: 'x'.repeat(30_000) }],
  ])
    expect(writeContributions({ batchId: new Uint8Array(16), gateway: '', commands })).toBeNull();
});
