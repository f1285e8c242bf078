import { formatAmount } from '../../lib/money.ts';
import type { ContributionOutcome } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';

/** JSON of a result, by hand because few members need escaping. `answeredMs`: time of the lane. */
export function writeContributionResult(
  result: ContributionOutcome,
  command: Pick<Contribute, 'gameround' | 'currency'>,
  answeredMs: number,
  metadata: string | null,
  withBonus: boolean,
): string {
  const { win, timestampMs = answeredMs } = result;
  const gameround = command.gameround === '' ? 'null' : JSON.stringify(command.gameround);
  return (
    `{"instance_id":"${result.instance}","timestamp":${timestampMs},"gameround_id":${gameround},` +
    (win === null
      ? '"win_amount":0,"win_pot_id":null,'
      : `"win_amount":${formatAmount(win.amountAtoms)},"win_pot_id":"${win.pot}",`) +
    `"tickets_awarded":${result.tickets},"win_withheld":${win?.withheld === true},` +
    `"contribution_currency":${JSON.stringify(command.currency)},` +
    `"contribution_amount":${formatAmount(result.requestAtoms)},` +
    (withBonus
      ? `"bonus_amount_used":${result.bonusAtoms === 0n ? '0' : formatAmount(result.bonusAtoms)},`
      : '') +
    `"metadata":${metadata ?? 'null'}}`
  );
}
