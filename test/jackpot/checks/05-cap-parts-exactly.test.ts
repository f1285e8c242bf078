import { expect, it } from 'vitest';
import type { InstanceDescription } from '../../../src/jackpot/outcomes.ts';
import { capOf } from '../oracle/triggers.ts';
import { type Applied, eachCommand } from './each-command.ts';
import { patienceMs, saw, scaled } from './scale.ts';

/**
 * Proves: a pot's share is its seed part and a, and a is parted by the cap without a rest; none passes its cap.
 * In whole: a million commands, of which the contributions without a win are looked at.
 */
it('check 5: what reaches a pot is seed + current + overflow, and current stops at the cap', {
  timeout: patienceMs,
}, () => {
  let capped = 0;
  let fed = 0;
  const commands = eachCommand(scaled(20_000, 1_000_000), (applied) => {
    for (const [before, after] of fedWithoutWin(applied)) {
      for (const [index, now] of after.pots.entries()) {
        const was = before.pots[index]!;
        fed += 1;
        const share = now.contributedAtoms - was.contributedAtoms;
        const toSeed = now.seedAtoms - was.seedAtoms;
        const toCurrent = now.currentAtoms - was.currentAtoms;
        const toOverflow = now.overflowAtoms - was.overflowAtoms;
        const where = `${after.instance}.${now.pot}`;
        if (toSeed + toCurrent + toOverflow !== share) expect.fail(`${where}: the parts are not its share`);
        if (toSeed < 0n || toCurrent < 0n || toOverflow < 0n) expect.fail(`${where}: a part is negative`);
        if (toOverflow === 0n) continue;
        capped += 1;
        const cap = capOf(documentOf(before, index));
        if (cap === null) expect.fail(`${where}: overflow without a cap`);
        else if (now.currentAtoms < cap) expect.fail(`${where}: overflow below the cap`);
      }
    }
  });
  saw('check 5', { commands, 'shares of pots': fed, 'shares cut by a cap': capped });
  expect(capped).toBeGreaterThan(0);
});

function* fedWithoutWin({
  outcome,
  before,
  after,
}: Applied): Iterable<[InstanceDescription, InstanceDescription]> {
  const won = new Set(outcome.events.flatMap((event) => (event.kind === 'Won' ? [event.instance] : [])));
  for (const result of outcome.outcomes) {
    if (result.kind !== 'Contributed') continue;
    for (const { instance } of result.results) {
      const [was, is] = [before.get(instance), after.get(instance)];
      if (!won.has(instance) && was !== undefined && is !== undefined) yield [was, is];
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are plain JSON.
function documentOf(instance: InstanceDescription, pot: number): any {
  return (instance.configuration as { readonly pots: readonly unknown[] }).pots[pot];
}
