import fc from 'fast-check';
import { describe, it } from 'vitest';
import { saw } from '../checks/scale.ts';
import { atoms, contribution } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { configurationPairs } from './configurations.ts';
import { histories } from './histories.ts';
import { Pair } from './pair.ts';

const runs = Number(process.env.POTSTREAM_ORACLE_RUNS ?? 80);

describe('the engine and an oracle written from the rules alone', () => {
  it('agree on every account, outcome, draw and head', () => {
    const seen = { commands: 0, messages: 0, histories: 0 };
    fc.assert(
      fc.property(
        configurationPairs,
        configurationPairs,
        histories,
        fc.nat(20),
        (first, second, history, restartAt) => {
          const pair = new Pair(first, second);
          history.forEach((step, index) => {
            pair.step(step);
            if (index === restartAt) pair.lane.restart();
            seen.commands += step.commands.length;
          });
          seen.messages += history.length;
          seen.histories += 1;
        },
      ),
      { numRuns: runs },
    );
    saw('the oracle, drawn configurations,', seen);
  });

  it('agree on messages that need more words than one read of the keystream holds', () => {
    const triggers = Array.from({ length: 6 }, (_, index) => ({
      HitRate: { max_magic_number: 1000 + 517 * index, cost_per_attempt: '0.1' },
    }));
    const configuration = threePots({}, { pot_types: triggers });
    const pair = new Pair([configuration, configuration], [configuration, configuration]);
    for (let message = 0; message < 3; message++) {
      const commands = Array.from({ length: 256 }, (_, index) =>
        contribution({ player: `p${index % 90}`, contributionId: new Uint8Array(16).fill(index) }),
      );
      pair.step({ afterMs: 1, commands });
    }
  });

  it('agree on when balances get too large, and that the amount is refused then', () => {
    const configuration = threePots(
      {
        contribution_rules: {
          contribution_type: { Percentage: '1' },
          operator_contribution_percentage: '0.5',
        },
      },
      { pot_types: [{ External: {} }], maximum_pot_value: '89000000000' },
    );
    const pair = new Pair([configuration, configuration], [configuration, configuration]);
    for (let message = 0; message < 12; message++) {
      const large = contribution({ baseWagerAtoms: atoms('90000000000') });
      const over = contribution({ baseWagerAtoms: atoms('90000000000') + 1n });
      const debited = contribution({ baseWagerAtoms: atoms('90000000000'), wallet: true });
      pair.step({ afterMs: 1, commands: [contribution(), large, over, debited, contribution()] });
    }
  });

  it('agree on how long a key is remembered', () => {
    const configuration = threePots();
    const pair = new Pair([configuration, configuration], [configuration, configuration]);
    const keyed = (fill: number) => contribution({ idempotencyKey: new Uint8Array(16).fill(fill) });
    const dayMs = 24 * 3_600_000;
    // Every message brings a new key and repeats all that were used before.
    [1, 1700, dayMs - 300, 1000, dayMs - 2000, 5000].forEach((afterMs, message) => {
      const keys = Array.from({ length: message + 1 }, (_, index) => keyed(index));
      pair.step({ afterMs, commands: keys });
    });
  });
});
