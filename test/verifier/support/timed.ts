import type { Command } from '../../../src/messages/commands.ts';
import { atoms, contribution, running, setStatus } from '../../jackpot/support/commands.ts';
import { jackpot } from './cases.ts';
import type { PublishingLane } from './epochs.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const criteria = { min_contribution: '0.01' };

/** A pot that must drop from 18 to 20 o'clock, and one that must drop by its value. */
export function timed() {
  const configuration = jackpot({
    id: 'night',
    criteria,
    contribution: { Percentage: '0.4' },
    pot_types: [{ Time: { start_time: 18 * hourMs, end_time: 20 * hourMs } }, { External: {} }],
  });
  const [night] = configuration.pots;
  const value = {
    ...night!,
    id: 'value',
    pot_types: [{ Threshold: { min_value: '3', max_value: '9' } }],
    contribution: { Percentage: '0.3' },
  };
  return { ...configuration, pots: [night!, value] };
}

/**
 * Activated inside of the window, paused and resumed in it, once between contributions of one message, with a pot
 * adjusted; two epochs, the second of which begins while the instance is paused.
 */
export function playTimed(lane: PublishingLane): void {
  const { lane: test } = lane;
  const midnight = Math.ceil(test.nowMs / dayMs) * dayMs;
  const at = (hour: number, ms: number, ...commands: readonly Command[]) => {
    test.nowMs = midnight + hour * hourMs + ms - 1;
    lane.apply(...commands);
  };
  const spin = (player = 'p1') => contribution({ player });
  at(18, 15 * minuteMs, ...running(timed()));
  at(18, 15 * minuteMs + 8_000, spin(), spin('p2'));
  at(18, 30 * minuteMs, setStatus('Paused'));
  at(18, 55 * minuteMs, setStatus('Active'));
  at(18, 55 * minuteMs + 4_000, spin());
  at(18, 56 * minuteMs, spin(), setStatus('Paused'), setStatus('Active'), spin('p2'), trigger, spin());
  at(18, 57 * minuteMs, adjustment, spin('p3'));
  at(18, 58 * minuteMs, setStatus('Paused'));
  at(42, 59 * minuteMs, { kind: 'Tick', instance: 'jackpot' });
  at(42, 59 * minuteMs + 5_000, setStatus('Active'), spin());
  at(42, 59 * minuteMs + 9_000, spin());
  at(44, 0, spin());
  lane.end();
}

const trigger: Command = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'night',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
};

const adjustment: Command = {
  kind: 'AdjustPot',
  instance: 'jackpot',
  pot: 'value',
  account: 'current_value',
  targetAtoms: atoms('5'),
  reason: 'test',
  user: 'admin',
  mayDecrease: true,
  idempotencyKey: null,
  expectedVersion: null,
};
