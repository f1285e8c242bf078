import { assert } from '../../../lib/assert.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Raffle } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { changeStatus, suspendInstance } from '../statuses/change.ts';
import { openDebits } from '../statuses/liabilities.ts';
import { Budget, type Job } from '../steps/steps.ts';
import { beginRound } from './round.ts';
import { announcePrizes, drawTickets, findHolders, numberTickets } from './round-steps.ts';
import { recordRound, settleRound } from './settle.ts';

/** Whether the round of an Active or Paused instance has to end, or to go on ending. */
export function isRoundOver(instance: Instance, nowMs: number): boolean {
  const round = instance.raffle?.round ?? null;
  return round !== null && (nowMs >= round.endMs || isAtWork(instance.raffle!));
}

/** When the round of an Active or Paused instance has to end; null: it has no end. */
export function roundEndMs({ raffle }: Instance): number | null {
  if (raffle === null || raffle.round === null) return null;
  return isAtWork(raffle) ? 0 : raffle.round.endMs;
}

/** The round is over: no contributions any more until the next one. The work begins when the message ends. */
export function endRound(state: LaneState, instance: Instance): void {
  const { raffle } = instance;
  assert(raffle?.round != null, 'a round that ends has begun');
  raffle.wasPaused = instance.status === 'Paused';
  if (raffle.phase.kind === 'Open') {
    const { isDeferred } = raffle.round.rules;
    raffle.phase = isDeferred ? { kind: 'Numbering', nextOrdinal: 1 } : { kind: 'Drawing' };
  }
  raffle.requested = 1;
  state.working.add(instance);
  changeStatus(state, instance, 'Resolving', 'the round of the raffle is over');
}

/** Work for the next Continue command; null: no work, or open debits still bring tickets. */
export function raffleJob(state: LaneState, instance: Instance): Job | null {
  const { raffle } = instance;
  if (raffle === null || instance.status !== 'Resolving' || !isAtWork(raffle)) return null;
  if (openDebits(state, instance) > 0) return null;
  return { job: jobOf(instance), step: raffle.step, stepsPerMessage: 1 };
}

function jobOf(instance: Instance): string {
  return `raffle/${instance.id}`;
}

/**
 * Does the steps that the message has asked for, between messages, where epochs and draws have their place.
 */
export function workOnRound(state: LaneState, instance: Instance): void {
  const { raffle } = instance;
  if (raffle === null || raffle.requested === 0) return;
  const budget = new Budget();
  raffle.step += raffle.requested;
  raffle.requested = 0;
  if (instance.status !== 'Resolving' || openDebits(state, instance) > 0) return;
  while (isAtWork(raffle) && !budget.isSpent && instance.status === 'Resolving') {
    advance(state, instance, raffle, budget);
  }
}

function advance(state: LaneState, instance: Instance, raffle: Raffle, budget: Budget): void {
  const { phase } = raffle;
  if (phase.kind === 'Numbering') {
    const next = numberTickets(state, instance, raffle, phase.nextOrdinal, budget);
    raffle.phase = next === null ? { kind: 'Drawing' } : { kind: 'Numbering', nextOrdinal: next };
  } else if (phase.kind === 'Drawing') {
    raffle.phase = drawTickets(state.hashing, instance, raffle.round!);
  } else if (phase.kind === 'Finding' && phase.ranges.length < phase.tickets.length) {
    raffle.phase = findHolders(raffle, phase, budget);
  } else if (phase.kind === 'Finding') {
    const settled = settleRound(state, instance, raffle.round!, phase);
    if (typeof settled === 'string') suspend(state, instance, raffle, settled);
    else raffle.phase = settled;
    for (const _ of phase.tickets) budget.spend(0);
  } else if (phase.kind === 'Recording') {
    recordRound(state, instance, phase);
    raffle.phase = phase.announcing;
    for (const _ of phase.announcing.prizes) budget.spend(0);
  } else if (phase.kind === 'Announcing') {
    const nextPrize = announcePrizes(state, instance, raffle, phase, budget);
    if (nextPrize < phase.prizes.length) raffle.phase = { ...phase, nextPrize };
    else close(state, instance, raffle);
  }
}

/** The next round begins, or the instance waits to be completed. */
function close(state: LaneState, instance: Instance, raffle: Raffle): void {
  const { round } = raffle;
  if (round!.isLast || instance.enabledMask === 0) {
    raffle.phase = { kind: 'Over' };
    state.noteOwnerTask(instance);
    return;
  }
  beginRound(instance, round!.endMs, state.nowMs);
  changeStatus(state, instance, 'Active', 'the next round of the raffle');
  if (raffle.wasPaused) changeStatus(state, instance, 'Paused', 'it was paused when the last round ended');
  raffle.wasPaused = false;
}

/**
 * The accounts would break: nothing was paid. The round ends again once a person has resumed the instance.
 */
function suspend(state: LaneState, instance: Instance, raffle: Raffle, breach: string): void {
  raffle.phase = { kind: 'Drawing' };
  suspendInstance(state, instance, breach);
}

function isAtWork({ phase }: Raffle): boolean {
  return phase.kind !== 'Open' && phase.kind !== 'Over';
}
