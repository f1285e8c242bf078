import { type Document, isDocument, oneMember, Reader } from '../../../lib/document-reader.ts';
import { addFractions, compareFractions, one, zero } from '../../../lib/fraction.ts';
import type {
  PotConfiguration,
  Prize,
  RaffleDuration,
  RaffleRules,
} from '../../state/configuration/configuration.ts';
import { limitsOf } from './limits.ts';

/** Winners of one round. */
const maxWinners = 1000;

const secondMs = 1000;
const unitsMs: Readonly<Record<string, number>> = {
  Seconds: secondMs,
  Minutes: 60 * secondMs,
  Hours: 3600 * secondMs,
  Days: 86_400 * secondMs,
  Weeks: 604_800 * secondMs,
};
const maxLengthMs = 100 * 366 * 86_400 * secondMs;
const nothing: RaffleDuration = { kind: 'Length', lengthMs: secondMs };

/** `raffle_rules` (docs/rules/raffles.md "Raffle rules"). */
export function readRaffleRules(rules: Reader, document: Document): RaffleRules {
  const costPerTicketAtoms = rules.requiredAmount('cost_per_ticket');
  if (rules.has('cost_per_ticket') && costPerTicketAtoms === 0n) {
    rules.fault('cost_per_ticket', 'must be above zero');
  }
  return {
    document,
    costPerTicketAtoms,
    costSource: rules.oneOf('cost_source', ['Contribution', 'BaseWager'], 'Contribution'),
    isDeferred: rules.oneOf('allocation_mode', ['Instant', 'Deferred'], 'Instant') === 'Deferred',
    duration: readDuration(rules),
    prizes: readPrizes(rules),
  };
}

function readDuration(rules: Reader): RaffleDuration {
  const member = oneMember(rules.raw('duration'));
  const unit = member === null ? undefined : member[0];
  if (unit === 'Scheduled')
    return readSchedule(new Reader(member![1], rules.at('duration.Scheduled'), rules.faults));
  const unitMs = unit !== undefined && Object.hasOwn(unitsMs, unit) ? unitsMs[unit]! : null;
  if (unitMs === null) {
    rules.fault(
      'duration',
      `must be an object with one key of ${Object.keys(unitsMs).join(', ')}, Scheduled`,
    );
    return nothing;
  }
  const count =
    new Reader(rules.raw('duration'), rules.at('duration'), rules.faults).integer(unit!, 1, null) ?? 1;
  if (count * unitMs > maxLengthMs) rules.fault('duration', 'must not exceed a hundred years');
  return { kind: 'Length', lengthMs: count * unitMs };
}

function readSchedule(schedule: Reader): RaffleDuration {
  const endsMs = schedule
    .list('timestamps_end')
    .filter((each): each is number => Number.isSafeInteger(each) && (each as number) > 0);
  const rises = endsMs.every((each, index) => index === 0 || each > endsMs[index - 1]!);
  if (endsMs.length === 0 || endsMs.length !== schedule.list('timestamps_end').length || !rises) {
    schedule.fault(
      'timestamps_end',
      'must be milliseconds since the epoch, at least one, each later than the last',
    );
  }
  return { kind: 'Scheduled', endsMs };
}

function readPrizes(rules: Reader): readonly Prize[] {
  const prizes = rules.list('prize_distribution').map((entry, index) => {
    const tier = new Reader(entry, rules.at(`prize_distribution[${index}]`), rules.faults);
    if (!tier.has('prize_percentage')) tier.fault('prize_percentage', 'is missing');
    if (!tier.has('number_of_winners')) tier.fault('number_of_winners', 'is missing');
    return {
      percentage: tier.fraction('prize_percentage', zero),
      winners: tier.integer('number_of_winners', 1, 1) ?? 1,
    };
  });
  if (prizes.length === 0) rules.fault('prize_distribution', 'must name at least one prize');
  const total = prizes.reduce((sum, each) => addFractions(sum, each.percentage), zero);
  if (compareFractions(total, one) > 0)
    rules.fault('prize_distribution', 'gives away more than 1 of the pot');
  if (winnersOf(prizes) > maxWinners) {
    rules.fault('prize_distribution', `must not have more than ${maxWinners} winners`);
  }
  return prizes;
}

export function winnersOf(prizes: readonly Prize[]): number {
  return prizes.reduce((sum, each) => sum + each.winners, 0);
}

/** The rules of a Raffle; null for a Jackpot, which must not have any. */
export function readRaffle(reader: Reader, jackpotType: 'Jackpot' | 'Raffle'): RaffleRules | null {
  const document = reader.raw('raffle_rules');
  if (jackpotType === 'Jackpot') {
    if (document !== undefined) reader.fault('raffle_rules', 'belong to an instance of type Raffle');
    return null;
  }
  if (reader.list('pots').length > 1) reader.fault('pots', 'of a raffle must be one');
  if (document === undefined) reader.fault('raffle_rules', 'are missing');
  const rules = document === undefined ? new Reader({}, '', []) : reader.child('raffle_rules');
  return readRaffleRules(rules, isDocument(document) ? document : {});
}

/** A raffle's pot is never drawn by a contribution nor triggered, whatever its pot_types say. */
export function asRafflePot(pot: PotConfiguration): PotConfiguration {
  const limits = limitsOf({ maxAtoms: pot.maxAtoms, triggers: [] });
  return { ...pot, ...limits, triggers: [], supportsExternalTrigger: false };
}
