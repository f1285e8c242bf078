import { expect, it } from 'vitest';
import { eachCommand } from './each-command.ts';
import { patienceMs, saw, scaled } from './scale.ts';

/**
 * Proves: the advertised figure is money that stands in the pot's own account, and whoever wins next is paid from at
 * least that. In whole: a million commands, every pot shown compared after each.
 */
it('check 8: what is displayed is payable at every instant', { timeout: patienceMs }, () => {
  let wins = 0;
  const commands = eachCommand({
    check: 8,
    commands: scaled(6_000, 1_000_000),
    view: (engine, id) => engine.liveValues(id),
    look({ run, command, before, after, groups }) {
      for (const [id, { pots }] of after) {
        const accounts = new Map(run.lane.engine.accounts(id)!);
        for (const { pot, currentAtoms } of pots) {
          const held = accounts.get(`${pot}.current`);
          if (held === undefined || currentAtoms > held) expect.fail(`${id}.${pot} shows more than it holds`);
        }
      }
      for (const { instance, details } of groups) {
        for (const detail of details as unknown as readonly Detail[]) {
          if (detail.value === undefined) continue;
          wins += 1;
          const value = BigInt(detail.value);
          const pots = before.get(instance)?.pots ?? [];
          const was = pots.find(({ pot }) => pot === detail.pot)?.currentAtoms ?? 0n;
          const where = `${command.kind}: ${instance}.${detail.pot}`;
          if (value < was) expect.fail(`${where} showed ${was} and paid from ${value}`);
          if (paidOf(detail) > value) expect.fail(`${where} paid more than ${value}`);
        }
      }
    },
  });
  saw('check 8', { commands, wins });
  expect(wins).toBeGreaterThan(20);
});

interface Detail {
  readonly pot: string;
  readonly value?: string;
  readonly win?: string;
  readonly payouts?: readonly { readonly share: string; readonly picked: readonly number[] }[];
  readonly prizes?: readonly { readonly amount: string }[];
}

function paidOf({ win = '0', payouts = [], prizes = [] }: Detail): bigint {
  const community = payouts.map(({ share, picked }) => BigInt(share) * BigInt(picked.length));
  const all = [...community, ...prizes.map(({ amount }) => BigInt(amount))];
  return all.reduce((sum, each) => sum + each, BigInt(win));
}
