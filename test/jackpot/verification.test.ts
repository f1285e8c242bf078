import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/jackpot/commands.ts';
import type { DrawGroup } from '../../src/jackpot/draw/recorder.ts';
import { contribution, openEpoch, running, seedOf, setRates } from './support/commands.ts';
import { threePots } from './support/configurations.ts';
import { configurations, histories } from './support/histories.ts';
import { TestLane } from './support/lane.ts';
import { type PublicEpoch, verifyEpoch } from './support/verify-epoch.ts';

const rates = setRates([
  ['JPY', '163.27', null],
  ['USD', '1.0839', null],
]);

/** Runs a history with short epochs, committing and revealing as an owner does; returns what is public of each epoch. */
function publicEpochs(
  configuration: Parameters<typeof running>[0],
  history: readonly (readonly Command[])[],
): { readonly epochs: readonly PublicEpoch[]; readonly heads: readonly string[] } {
  const lane = new TestLane({ epochSequences: 15 });
  const groups: DrawGroup[] = [];
  lane.recorder = { group: (group) => groups.push(group) };
  lane.apply(rates, ...running(configuration));
  for (const commands of history) {
    lane.apply(...commands);
    for (const { instance, open, reveal } of lane.engine.epochDuties(lane.nowMs)) {
      for (const { epoch } of reveal) {
        const revealed = { kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) } as const;
        expect(lane.apply(revealed).outcomes[0]).toMatchObject({ kind: 'Done' });
      }
      if (open !== null) lane.apply(openEpoch(instance, open.epoch, open.commit));
    }
  }
  const records = lane.engine.epochs('jackpot')!.filter((each) => each.header !== '');
  return {
    epochs: records.map((record) => ({
      header: record.header,
      seed: seedOf('jackpot', record.epoch),
      groups: groups.filter((group) => group.epoch === record.epoch),
    })),
    heads: records.map((record) => {
      const last = groups.findLast((group) => group.epoch === record.epoch);
      return last === undefined ? '' : Buffer.from(last.head).toString('hex');
    }),
  };
}

describe('an independent recomputation', () => {
  it('agrees with every draw, every balance it can see and every head', () => {
    let draws = 0;
    let wins = 0;
    fc.assert(
      fc.property(configurations, histories, (configuration, history) => {
        const { epochs, heads } = publicEpochs(configuration, history);
        epochs.forEach((epoch, index) => {
          const verdict = verifyEpoch(epoch);
          if (heads[index] !== '') expect(verdict.head).toBe(heads[index]);
          draws += verdict.draws;
          wins += verdict.wins;
        });
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(draws).toBeGreaterThan(2000);
    expect(wins).toBeGreaterThan(200);
  });

  it('rejects any changed bit of the seed, the inputs, the records or the header', () => {
    const history = [Array.from({ length: 12 }, (_, index) => contribution({ player: `p${index}` }))];
    const { epochs, heads } = publicEpochs(threePots(), history);
    const [epoch] = epochs;
    const [group] = epoch!.groups;
    expect(verifyEpoch(epoch!).head).toBe(heads[0]);
    const changed = (bytes: Uint8Array, bit: number) => {
      const copy = bytes.slice();
      copy[bit >> 3]! ^= 1 << (bit & 7);
      return copy;
    };
    const accepts = (changes: Partial<PublicEpoch>) => {
      try {
        return verifyEpoch({ ...epoch!, ...changes }).head === heads[0];
      } catch {
        return false;
      }
    };
    for (let bit = 0; bit < epoch!.seed.length * 8; bit += 1) {
      expect(accepts({ seed: changed(epoch!.seed, bit) }), `seed ${bit}`).toBe(false);
    }
    for (let bit = 0; bit < group!.inputs.length * 8; bit += 5) {
      const groups = [{ ...group!, inputs: changed(group!.inputs, bit) }];
      expect(accepts({ groups }), `inputs ${bit}`).toBe(false);
    }
    for (let bit = 0; bit < group!.bytes.length * 8; bit += 5) {
      const groups = [{ ...group!, bytes: changed(group!.bytes, bit) }];
      expect(accepts({ groups }), `records ${bit}`).toBe(false);
    }
    for (let at = 0; at < epoch!.header.length; at += 1) {
      const header = Buffer.from(changed(Buffer.from(epoch!.header), at * 8)).toString('latin1');
      expect(accepts({ header }), `header ${at}`).toBe(false);
    }
  });
});
