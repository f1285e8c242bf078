import type { MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import type { DebitSettled } from '../../../../src/messages/settlement-commands.ts';
import type { DebitRecord } from '../../../../src/messages/settlements.ts';
import { contribution, running, setBrand } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot } from '../../support/scenario.ts';

/** The player pays all. */
export const playerPays = { operator_contribution_percentage: '0' };

/** A contribution that the player pays through a wallet. */
export function paying(changes: Partial<Contribute> = {}): Contribute {
  return contribution({ wallet: true, contributionId: new Uint8Array(16).fill(1), ...changes });
}

export function settled(debit: DebitRecord, result: DebitSettled['result'] = 'debited'): DebitSettled {
  return { kind: 'DebitSettled', transactionId: debit.transactionId, result };
}

/** Debits that the message opened. */
export function debitsOf({ work }: MessageOutcome): readonly DebitRecord[] {
  return work.flatMap((each) => (each.kind === 'DebitDue' ? [each.debit] : []));
}

export function laneWith(configuration = onePot({}, playerPays)): TestLane {
  const lane = new TestLane();
  lane.apply(setBrand({ wallet: true, provider: 'acme' }), ...running(configuration).slice(1));
  return lane;
}
