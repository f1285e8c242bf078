import type { CreditRecord } from '../../../messages/settlements.ts';
import { batchIdOf, creditId } from '../../../messages/transaction-ids.ts';
import type { Brand } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Credit } from './credit.ts';

/** The win or round that pays. */
interface PayingWin {
  readonly kind: 'main' | 'community' | 'raffle';
  readonly pot: string;
  readonly cycle: number;
  /** The instance's sequence number. */
  readonly sequence: number;
  /** The game round of the winning contribution; empty without one. */
  readonly contributionId: string;
  readonly source: string;
  /** That of the winning contribution; empty or absent: the brand's own. */
  readonly provider?: string;
}

/** The part of one player. A player may have several shares of one win. */
interface PaidShare {
  readonly brand: Brand;
  readonly player: string;
  readonly amountAtoms: bigint;
  readonly credit: Credit;
}

/** Opens the credits that wait, once nothing can be undone. Shares and prizes form batches by player. */
export function openCredits(
  state: LaneState,
  instance: Instance,
  win: PayingWin,
  shares: readonly PaidShare[],
): void {
  const merged = new Map<string, CreditRecord>();
  for (const share of shares) {
    if (!share.credit.waits) continue;
    const id = creditId(instance.id, win.pot, win.cycle, share.brand.command.brand, share.player, win.kind);
    const known = merged.get(id);
    merged.set(id, known === undefined ? recordOf(state, instance, win, share, id) : added(known, share));
  }
  for (const credit of merged.values()) {
    state.credits.set(credit);
    const { pot, brand, player, sequence } = credit;
    if (credit.state === 'withheld') instance.winners.mark(pot, brand, player, sequence, win.kind, true);
  }
  if (win.kind === 'main') announce(state, merged.values());
  else announceBatches(state, merged.values());
}

function recordOf(
  state: LaneState,
  instance: Instance,
  win: PayingWin,
  { brand, player, amountAtoms, credit }: PaidShare,
  transactionId: string,
): CreditRecord {
  const { command } = brand;
  const batched = win.kind !== 'main' && !credit.withheld;
  const ownRound = win.kind !== 'main' && state.rules.sharesHaveOwnRounds;
  return {
    number: state.nextNumber(),
    transactionId,
    batchId: batched ? batchIdOf(instance.id, win.pot, win.cycle, command.brand, credit.paidCurrency) : '',
    kind: win.kind,
    state: credit.withheld ? 'withheld' : 'pending',
    instance: instance.id,
    pot: win.pot,
    instanceCount: win.cycle,
    sequence: win.sequence,
    brand: command.brand,
    player,
    amountAtoms,
    currency: instance.configuration.currency,
    paidAtoms: credit.paidAtoms,
    paidCurrency: credit.paidCurrency,
    backAtoms: credit.backAtoms,
    rateVersion: credit.rateVersion,
    contributionId: ownRound || win.contributionId === '' ? transactionId : win.contributionId,
    source: win.source,
    provider: win.provider === undefined || win.provider === '' ? command.provider : win.provider,
    wallet: command.wallet,
    openedMs: state.nowMs,
    changedMs: state.nowMs,
    reason: credit.withheld ? 'verification_limit' : '',
    ...(ownRound ? { ownRound } : {}),
  };
}

/** A share that is withheld holds the others of the same player and win: they are one credit. */
function added(record: CreditRecord, { amountAtoms, credit }: PaidShare): CreditRecord {
  const withheld = record.state === 'withheld' || credit.withheld;
  return {
    ...record,
    amountAtoms: record.amountAtoms + amountAtoms,
    paidAtoms: record.paidAtoms + credit.paidAtoms,
    backAtoms: record.backAtoms + credit.backAtoms,
    ...(withheld ? { state: 'withheld', batchId: '', reason: 'verification_limit' } : {}),
  };
}

function announce(state: LaneState, credits: Iterable<CreditRecord>): void {
  for (const credit of credits) {
    if (credit.state === 'pending') state.addWork({ kind: 'CreditDue', credit });
  }
}

function announceBatches(state: LaneState, credits: Iterable<CreditRecord>): void {
  const batches = new Map<string, CreditRecord[]>();
  for (const credit of credits) {
    if (credit.state !== 'pending') continue;
    const batch = batches.get(credit.batchId);
    if (batch === undefined) batches.set(credit.batchId, [credit]);
    else batch.push(credit);
  }
  for (const [batchId, records] of batches) {
    const { kind, instance, pot, instanceCount, brand, paidCurrency, number } = records[0]!;
    state.addWork({
      kind: 'CreditsDue',
      batch: {
        batchId,
        kind,
        instance,
        pot,
        instanceCount,
        brand,
        currency: paidCurrency,
        records: records.length,
        amountAtoms: records.reduce((sum, each) => sum + each.paidAtoms, 0n),
        firstNumber: number,
      },
    });
  }
}
