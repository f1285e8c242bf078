import { expect, it } from 'vitest';
import {
  decodeCommandBatch,
  decodeOutcomeRecord,
  encodeCommandBatch,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';
import { MixedRun } from './run.ts';

const commandCount = 2500;

it('the log holds of every command, and of every outcome, all that it says', { timeout: 120_000 }, () => {
  const run = new MixedRun(500);
  for (let commands = run.begin(); run.commands < commandCount; commands = run.next()) {
    const outcome = run.apply(commands);
    const batch = { gateway: 'gateway', batchId: new Uint8Array(16).fill(run.commands % 256), commands };
    expect(decodeCommandBatch(encodeCommandBatch(batch))).toEqual(batch);
    const stored = decodeOutcomeRecord(encodeOutcomeRecord({ ...outcome, laneHead: new Uint8Array(32) }));
    // The engine's own records of open debits hold more than their wire shapes.
    expect({ ...outcome, laneHead: new Uint8Array(32) }).toMatchObject(stored);
  }
});
