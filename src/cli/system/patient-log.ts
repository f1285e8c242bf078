import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditPorts } from '../../actors/audit/kept-snapshots.ts';
import { type Log, LogError } from '../../ports.ts';

const maxTries = 30;
const retryDelayMs = 1_000;

/** The reads of a log, repeated through a short outage: a long replay survives a restart. */
export function patientLog(log: Log): AuditPorts['log'] {
  return {
    extents: (lane) => patiently(() => log.extents(lane)),
    readCommand: (lane, sequence) => patiently(() => log.readCommand(lane, sequence)),
    readCommands: (lane, from) => patiently(() => log.readCommands(lane, from)),
    nextCommand: (lane, channel, from) => patiently(() => log.nextCommand(lane, channel, from)),
    readOutcome: (lane, sequence) => patiently(() => log.readOutcome(lane, sequence)),
    readOutcomes: (lane, from) => patiently(() => log.readOutcomes(lane, from)),
    lastOutcome: (lane) => patiently(() => log.lastOutcome(lane)),
    async archive(name) {
      const archive = await patiently(() => log.archive(name));
      return {
        list: () => patiently(() => archive.list()),
        get: (object) => patiently(() => archive.get(object)),
      };
    },
  };
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LogError && error.retryable) || tries === maxTries) throw error;
    }
    await sleep(retryDelayMs);
  }
}
