import { expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import { type Applied, eachCommand } from './each-command.ts';
import { patienceMs, saw, scaled } from './scale.ts';

/**
 * Proves: what players were shown is taken away by nothing but a payout, a permitted A22 or a model switch.
 * In whole: a million commands, every pot compared before and after each.
 */
it('check 3: nothing lowers current_value but a payout, a permitted A22 and A29', {
  timeout: patienceMs,
}, () => {
  let lowered = 0;
  const commands = eachCommand({
    check: 3,
    commands: scaled(6_000, 1_000_000),
    view: (engine, id) => engine.liveValues(id),
    look(applied) {
      for (const [id, now] of applied.after) {
        const was = applied.before.get(id);
        if (was === undefined) continue;
        for (const [index, pot] of now.pots.entries()) {
          if (pot.currentAtoms >= was.pots[index]!.currentAtoms) continue;
          lowered += 1;
          if (!mayLower(applied, id, pot.pot))
            expect.fail(`${applied.command.kind} lowered ${id}.${pot.pot}`);
        }
      }
    },
  });
  saw('check 3', { commands, 'pots lowered rightly': lowered });
  expect(lowered).toBeGreaterThan(0);
});

function mayLower({ command, outcome }: Applied<unknown>, instance: string, pot: string): boolean {
  const isPaid = outcome.events.some(
    (event) =>
      (event.kind === 'Won' || event.kind === 'RaffleWon') &&
      event.instance === instance &&
      event.pot === pot,
  );
  if (isPaid) return true;
  // What a switch, or the completion that ends an instance, takes from a pot goes to another instance.
  if (command.kind === 'Continue')
    return command.job === `move/${instance}` && outcome.outcomes[0]?.kind === 'Done';
  const source = command.kind === 'SwitchModel' || command.kind === 'SetStatus' ? command.instance : '';
  if (source === instance) return transfers(command) && outcome.outcomes[0]?.kind === 'Done';
  return command.kind === 'AdjustPot' && command.mayDecrease && command.instance === instance;
}

function transfers(command: Command): boolean {
  return command.kind === 'SwitchModel' || (command.kind === 'SetStatus' && command.status === 'Completed');
}
