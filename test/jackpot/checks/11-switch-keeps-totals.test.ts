import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/jackpot/configuration/parse.ts';
import { DIVERSION, HOUSE, potAt, TRANSFER } from '../../../src/jackpot/state/accounts.ts';
import { Instance } from '../../../src/jackpot/state/instance.ts';
import { findBreach } from '../../../src/jackpot/state/ledger.ts';
import { moveEverything } from '../../../src/jackpot/switch/move.ts';
import { readTransfers } from '../../../src/jackpot/switch/transfer.ts';
import { readWide, writeWide } from '../../../src/lib/wide.ts';
import { testHashing } from '../support/hashing.ts';
import { patienceMs, scaled } from './scale.ts';

const SCALE = 1_000_000_000;
const potAccounts = [0, 2, 4, 6, 8];
const amount = fc.bigInt({ min: 0n, max: 10n ** 17n });
const runs = scaled(2000, 100_000);

/** An instance with nothing but pots. */
function instance(id: string, pots: number, caps: readonly (string | null)[] = []): Instance {
  const parsed = parseConfiguration({
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Fixed: '1' } },
    pots: Array.from({ length: pots }, (_, index) => ({
      id: `${id}-${index}`,
      contribution: { Percentage: '0.1' },
      ...(caps[index] ? { maximum_pot_value: caps[index] } : {}),
    })),
  });
  if (!parsed.ok) throw new Error(parsed.faults.join());
  const facts = {
    id,
    group: 'op',
    owner: 'op',
    templateOwner: 'op',
    template: 't',
    gameCode: '',
    createdMs: 0,
    startMs: null,
    endMs: null,
  };
  return new Instance(facts, parsed.configuration, testHashing);
}

/** Fractions of a billionth that make 1, for `count` pots. */
const fractions = (count: number) =>
  fc.array(fc.nat({ max: SCALE }), { minLength: count - 1, maxLength: count - 1 }).map((cuts) => {
    const sorted = [0, ...[...cuts].sort((a, b) => a - b), SCALE];
    return sorted.slice(1).map((cut, index) => ((cut - sorted[index]!) / SCALE).toFixed(9));
  });

const cases = fc
  .record({
    sources: fc.integer({ min: 1, max: 4 }),
    targets: fc.integer({ min: 1, max: 4 }),
    caps: fc.array(fc.constantFrom(null, '1', '500'), { maxLength: 4 }),
    house: amount,
    diversion: amount,
  })
  .chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      parts: fc.array(fractions(shape.targets), { minLength: shape.sources, maxLength: shape.sources }),
      held: fc.array(fc.array(amount, { minLength: 5, maxLength: 5 }), {
        minLength: shape.sources,
        maxLength: shape.sources,
      }),
    }),
  );

it('check 11: a switch moves everything and makes nothing', { timeout: patienceMs }, () => {
  fc.assert(
    fc.property(cases, ({ shape, parts, held }) => {
      const source = instance('s', shape.sources);
      const target = instance('t', shape.targets, shape.caps);
      writeWide(source.words, HOUSE, shape.house);
      writeWide(source.words, DIVERSION, shape.diversion);
      held.forEach((balances, pot) => {
        balances.forEach((atoms, index) => {
          writeWide(source.words, potAt(pot) + potAccounts[index]!, atoms);
        });
      });
      const total = shape.house + shape.diversion + held.flat().reduce((sum, each) => sum + each, 0n);
      writeWide(source.words, TRANSFER, -total);
      const rules = parts.map((of, pot) => ({
        source: `s-${pot}`,
        targets: of.map((fraction, index) => [`t-${index}`, fraction] as const),
      }));
      const { transfers, faults } = readTransfers(source, target, rules);
      expect(faults).toEqual([]);
      const caps = target.pots.map((pot) => pot.effective.capAtoms);
      moveEverything(source.words, target.words, caps, transfers);
      expect([findBreach(source.words, shape.sources), findBreach(target.words, shape.targets)]).toEqual([
        null,
        null,
      ]);
      expect(insideOf(source.words, shape.sources)).toBe(0n);
      expect(insideOf(target.words, shape.targets)).toBe(total);
      expect(readWide(target.words, TRANSFER)).toBe(-total);
      caps.forEach((cap, pot) => {
        if (cap !== null) expect(readWide(target.words, potAt(pot)) <= cap).toBe(true);
      });
    }),
    { numRuns: runs },
  );
});

function insideOf(words: Float64Array, pots: number): bigint {
  let sum = readWide(words, HOUSE) + readWide(words, DIVERSION);
  for (let pot = 0; pot < pots; pot++) for (const at of potAccounts) sum += readWide(words, potAt(pot) + at);
  return sum;
}
