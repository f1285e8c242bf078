import { expect, it } from 'vitest';
import { eachCommand } from './each-command.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const outside = new Set([
  'player',
  'operator_capital',
  'operator_fee',
  'external',
  'fx',
  'adjustment',
  'transfer',
]);

/**
 * Proves: money is neither made nor lost, and no pot, house or liability is ever overdrawn.
 * In whole: a million commands, all accounts of the history's instances summed after each.
 */
it('check 2: after each random command all accounts sum to zero and no inside account is negative', {
  timeout: patienceMs,
}, () => {
  let accounts = 0;
  const commands = eachCommand({
    check: 2,
    commands: scaled(6_000, 1_000_000),
    view: (engine, id) => engine.accounts(id),
    look({ command, after }) {
      for (const [id, balances] of after) {
        let total = 0n;
        for (const [name, atoms] of balances) {
          total += atoms;
          if (atoms < 0n && !outside.has(name))
            expect.fail(`${id}.${name} is ${atoms} after ${command.kind}`);
        }
        if (total !== 0n) expect.fail(`${id} sums to ${total} after ${command.kind}`);
        accounts += balances.length;
      }
    },
  });
  saw('check 2', { commands, 'balances of accounts': accounts });
});
