import { expect } from 'vitest';
import { firstLaneHead, Replica } from '../../src/actors/replica/replica.ts';
import { decodeCommandBatch, decodeOutcomeRecord } from '../../src/messages/codec/codec.ts';
import type { CommandOutcome, Contributed } from '../../src/messages/outcomes.ts';
import { BookedTotals } from '../reporting/books/booked-totals.ts';
import type { Intent } from './sim-operator.ts';
import { hashing, lane, type SimSystem } from './sim-system.ts';

interface Position {
  readonly sequence: number;
  readonly index: number;
}

/** What must hold of every history once it has come to rest. */
export function checkInvariants(system: SimSystem, intents: readonly Intent[], instances: number): void {
  const replica = new Replica(lane, system.engines.create(), hashing, firstLaneHead);
  const books = new BookedTotals(lane, system.enginesOn);
  const recorded = checkOutcomes(system, replica, books);
  checkMoney(replica, instances);
  books.check(replica.engine);
  const applied = appliedPositions(system, recorded);
  for (const intent of intents) checkIntent(intent, applied, recorded);
}

/** OUT is contiguous, as long as CMD, and to the byte what a replay from nothing makes of CMD, also one without draw keys. */
function checkOutcomes(
  system: SimSystem,
  replica: Replica,
  books: BookedTotals,
): ReadonlyMap<number, readonly CommandOutcome[]> {
  const { commands, outcomes } = system.server.lane(lane);
  expect(outcomes.length).toBe(commands.length);
  const recorded = new Map<number, readonly CommandOutcome[]>();
  for (const [index, stored] of commands.entries()) {
    const applied = replica.apply(stored);
    const outcome = outcomes[index]!;
    expect(outcome.sequence).toBe(index + 1);
    expect(Buffer.compare(outcome.bytes, applied.record), `record ${index + 1}`).toBe(0);
    books.take(stored, outcome);
    recorded.set(outcome.sequence, decodeOutcomeRecord(outcome.bytes).outcomes);
  }
  return recorded;
}

/** Double entry: the accounts of an instance sum to zero. */
function checkMoney(replica: Replica, expected: number): void {
  let instances = 0;
  for (const instance of replica.engine.instances()) {
    const accounts = replica.engine.accounts(instance)!;
    const sum = accounts.reduce((total, [, atoms]) => total + atoms, 0n);
    expect(sum, instance).toBe(0n);
    expect(accounts.some(([, atoms]) => atoms !== 0n)).toBe(true);
    instances += 1;
  }
  expect(instances).toBe(expected);
}

/** Where each idempotency key was applied: at one place. */
function appliedPositions(
  system: SimSystem,
  recorded: ReadonlyMap<number, readonly CommandOutcome[]>,
): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  for (const stored of system.server.lane(lane).commands) {
    for (const [index, command] of decodeCommandBatch(stored.bytes).commands.entries()) {
      if (command.kind !== 'Contribute') continue;
      if (recorded.get(stored.sequence)![index]!.kind !== 'Contributed') continue;
      const key = Buffer.from(command.idempotencyKey!).toString('hex');
      expect(positions.has(key), `key ${key} was applied twice`).toBe(false);
      positions.set(key, { sequence: stored.sequence, index });
    }
  }
  return positions;
}

/** Every answer is what the log says; a repeated key was answered with the place of the first. */
function checkIntent(
  intent: Intent,
  applied: ReadonlyMap<string, Position>,
  recorded: ReadonlyMap<number, readonly CommandOutcome[]>,
): void {
  const position = applied.get(intent.key);
  expect(position, `key ${intent.key} was applied`).toBeDefined();
  expect(intent.answers.length).toBeGreaterThan(0);
  for (const answer of intent.answers) {
    const present = recorded.get(answer.sequence)?.[answer.index];
    expect(answer.outcome).toEqual(present);
    if (answer.outcome.kind === 'Contributed') {
      expect({ sequence: answer.sequence, index: answer.index }).toEqual(position);
    } else {
      expect(answer.outcome).toEqual({ kind: 'Duplicate', ...position });
    }
  }
  const outcome = recorded.get(position!.sequence)![position!.index] as Contributed;
  expect(outcome.results[0]?.instance).toBe(intent.command.target.id);
}
