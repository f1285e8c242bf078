import type { Hashing } from '../../state/hashing/hashing.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { FindingHolders, Raffle, Round } from '../../state/instance/raffle.ts';
import { winnersOf } from '../configuration/raffle-rules.ts';
import { purposeRaffle } from '../keystreams/names.ts';
import { pick, picksOf } from '../keystreams/picks.ts';
import type { Budget } from '../steps/budget.ts';

/**
 * Draws a round's tickets without replacement, on the purpose-3 stream of its record (docs/rules/draws.md "Key streams").
 * The record's number is the instance's next one: until it is made, nothing takes that number or ends the epoch.
 */
export function drawTickets(hashing: Hashing, instance: Instance, round: Round): FindingHolders {
  const count = Math.min(winnersOf(round.rules.prizes), round.tickets);
  if (count === 0) return { kind: 'Finding', tickets: [], ranges: [] };
  const keystream = picksOf(hashing, instance, purposeRaffle, instance.sequence + 1, count);
  const tickets = pick(keystream, round.tickets, count).map((place) => place + 1);
  return { kind: 'Finding', tickets, ranges: [] };
}

/** Looks up holders as far as the budget goes. */
export function findHolders(raffle: Raffle, finding: FindingHolders, budget: Budget): FindingHolders {
  const ranges = [...finding.ranges];
  while (ranges.length < finding.tickets.length && !budget.isSpent) {
    ranges.push(raffle.book.find(finding.tickets[ranges.length]!));
    budget.spend(0);
  }
  return { ...finding, ranges };
}

/** Draws and their record belong to one epoch: it does not turn between them. */
export function isBetweenDrawAndRecord({ raffle }: Instance): boolean {
  return raffle !== null && (raffle.phase.kind === 'Finding' || raffle.phase.kind === 'Recording');
}
