import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maximumMessageBytes } from '../../../src/actors/ports/actor-ports.ts';
import { patienceMs, saw, scaled } from '../../jackpot/checks/scale.ts';
import { BoundsHistory } from './history.ts';

const commands = scaled(2_500, 1_000_000);
const messagesOfHistory = scaled(60, 400);
/** A whole run takes an hour and more: it reports its progress. */
const commandsOfReport = 50_000;
/** What the server takes of one message; publishers stay below it. */
const busBytes = 1024 * 1024;
/**
 * One contribution may win a shared pot in its instance and in 20 linked ones: 1,001 shares each, of ids of 512 bytes, a brand's path, two
 * amounts and a currency.
 */
const maxCommandBytes = 21 * 1001 * (512 + 129 + 64);
/** What a message tells is counted to within half of it; its contributions and its end may tell that much each. */
const maxRecordBytes = 1.5 * 2 * maximumMessageBytes + maxCommandBytes;

it('whatever is configured and whatever happens, everything that leaves a lane fits and the lane goes on', {
  timeout: patienceMs,
}, async () => {
  const seen = {
    commands: 0,
    messages: 0,
    histories: 0,
    overCapacity: 0,
    record: 0,
    reply: 0,
    tick: 0,
    answer: 0,
  };
  const play = (seed: number): void => {
    const history = new BoundsHistory(seed, maximumMessageBytes);
    for (let message = 0; message < messagesOfHistory; message += 1) history.step();
    const { largest } = history;
    expect(history.contribute()).toMatchObject({ kind: 'Contributed' });
    expect(largest.record).toBeLessThan(maxRecordBytes);
    expect(largest.reply).toBeLessThan(busBytes);
    expect(largest.tick).toBeLessThan(busBytes);
    expect(largest.answer).toBeLessThan(busBytes);
    for (const name of ['record', 'reply', 'tick', 'answer'] as const)
      seen[name] = Math.max(seen[name], largest[name]);
    seen.commands += history.commands;
    seen.messages += history.messages;
    seen.histories += 1;
    seen.overCapacity += history.overCapacity;
  };
  let nextReport = commandsOfReport;
  while (seen.commands < commands) {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 }), play), { numRuns: 1, endOnFailure: true });
    if (seen.commands < nextReport) continue;
    saw('bounds of what leaves a lane, so far,', seen);
    // The runner prints between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    nextReport = seen.commands + commandsOfReport;
  }
  // It has seen what it is about: records that no message of the log takes.
  expect(seen.record).toBeGreaterThan(256 * 1024);
  saw('bounds of what leaves a lane', seen);
});
