import { formatAmount } from '../../src/lib/money.ts';
import { CheckFailed } from './kit/check.ts';
import type { Kit } from './kit/kit.ts';
import type { TestPlayer } from './kit/target.ts';
import type { Balances } from './preflight.ts';

/** Moves the balances back to what they were; returns a line for each player. */
export async function restoreBalances(kit: Kit, before: Balances): Promise<string[]> {
  const lines: string[] = [];
  for (const [player, balance] of before) lines.push(await restore(kit, player, balance));
  return lines;
}

async function restore(kit: Kit, player: TestPlayer, before: bigint): Promise<string> {
  const now = await balanceOf(kit, player);
  const excess = now === null ? 0n : now - before;
  const type = excess > 0n ? 'Debit' : 'Credit';
  const amount = excess > 0n ? excess : -excess;
  const changes = { amount, jackpot_amount: 0n };
  if (amount !== 0n) await kit.execute(kit.transaction(type, 0n, changes, player));
  const after = await balanceOf(kit, player);
  if (after === before) return `The balance of ${player.id} is what it was.`;
  const shown = after === null ? 'is not known now' : `is ${formatAmount(after)} now`;
  return `The balance of ${player.id} was ${formatAmount(before)} ${player.currency} and ${shown}: correct it by hand.`;
}

async function balanceOf(kit: Kit, player: TestPlayer): Promise<bigint | null> {
  try {
    return await kit.balance(player);
  } catch (error) {
    if (error instanceof CheckFailed) return null;
    throw error;
  }
}
