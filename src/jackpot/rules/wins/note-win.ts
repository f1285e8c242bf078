import { toHex } from '../../../lib/bytes.ts';
import type { Json } from '../../../lib/canonical-json.ts';
import type { WinShare } from '../../../messages/events.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Group } from '../draws/group.ts';
import { type Reseed, reseedJson } from '../pots/reseed.ts';
import type { Payout, Winner } from './payout.ts';
import type { Recipient, Recipients } from './recipients.ts';

interface PaidWin {
  readonly winner: Winner;
  readonly payout: Payout;
  readonly recipients: Recipients;
  /** null: the pot's last cycle. */
  readonly reseeded: Reseed | null;
  /** The cycle that the win ended. */
  readonly cycle: number;
}

/** Records a win: winner records (the main one first), the group's detail, the event. `trigger` null: A30. */
export function noteWin(
  state: LaneState,
  group: Group,
  index: number,
  trigger: number | null,
  win: PaidWin,
): void {
  const { instance } = group;
  const pot = instance.pots[index]!.effective.id;
  const currency = instance.configuration.currency;
  const { main, shares } = win.recipients;
  const community = shares.flat();
  instance.counter += 1;
  for (const share of [main, ...community]) {
    const { brand, player, amountAtoms, credit } = share;
    const timestampMs = state.nowMs;
    const { sequence } = win.winner;
    instance.winners.add({
      pot,
      amountAtoms,
      currency,
      brand: brand.command.brand,
      player,
      timestampMs,
      sequence,
      withheld: credit.withheld,
      ...(share === main ? {} : { kind: 'community' as const }),
    });
  }
  group.details.push(winJson(pot, trigger, win));
  state.announce({
    kind: 'Won',
    instance: instance.id,
    counter: instance.counter,
    sequence: win.winner.sequence,
    contributionId: win.winner.contributionId,
    gameround: win.winner.gameround,
    pot,
    instanceCount: win.cycle,
    currency,
    rateVersion: main.credit.rateVersion,
    winner: shareOf(main),
    community: community.map(shareOf),
    seedAtoms: win.reseeded?.openingAtoms ?? 0n,
    seedDeficitAtoms: win.reseeded?.operatorAtoms ?? 0n,
    withheld: main.credit.withheld,
    external: trigger === null,
    eventMetadata: win.winner.eventMetadata,
  });
}

function winJson(pot: string, trigger: number | null, win: PaidWin): Json {
  const { winner, payout, recipients, reseeded, cycle } = win;
  return {
    type: trigger === null ? 'trigger' : 'win',
    seq: winner.sequence,
    pot,
    trigger,
    instance_count: cycle,
    value: payout.valueAtoms.toString(),
    win: payout.winAtoms.toString(),
    fee: payout.feeAtoms.toString(),
    carry: payout.carryAtoms.toString(),
    ...paidJson(recipients.main),
    payouts: payout.community.rules.map((rule, index) => ({
      rule: rule.kind,
      amount: rule.amountAtoms.toString(),
      candidates: rule.candidates.count,
      candidates_hash: toHex(rule.candidates.hash),
      picked: [...rule.picked],
      share: rule.shareAtoms.toString(),
      paid: recipients.shares[index]!.map(paidJson),
    })),
    reseed: reseedJson(reseeded, cycle + 1),
  };
}

function paidJson({ pseudonym, credit }: Recipient) {
  return {
    winner: toHex(pseudonym),
    player_paid_back: credit.waits ? null : credit.backAtoms.toString(),
    withheld: credit.withheld,
  };
}

function shareOf({ brand, player, amountAtoms, credit }: Recipient): WinShare {
  return {
    brand: brand.command.brand,
    player,
    amountAtoms,
    paidAtoms: credit.paidAtoms,
    paidCurrency: credit.paidCurrency,
  };
}
