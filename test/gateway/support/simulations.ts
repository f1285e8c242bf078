import type { GatewayContext } from '../../../src/gateway/api/operation/operation.ts';
import { askSimulations } from '../../../src/gateway/api/services/simulations.ts';
import { LogError } from '../../../src/ports.ts';
import type { Play } from '../../../src/reporting/simulations/play.ts';
import { played } from '../../../src/reporting/simulations/played.ts';
import { Simulations } from '../../../src/reporting/simulations/simulations.ts';

export interface TestSimulations {
  readonly ask: GatewayContext['simulations'];
  /** The process that plays them ends, and another one begins. */
  restart(): void;
}

/** A process that plays simulations, without a thread: each is over when the next question comes. */
export function testSimulations({
  clock,
  random,
}: Pick<GatewayContext, 'clock' | 'random'>): TestSimulations {
  const report = (error: unknown): void => {
    throw error;
  };
  const start = () => new Simulations({ clock, random, play: playAtOnce, report });
  let simulations = start();
  const isThere = (subject: string) => ['new', simulations.process].includes(subject);
  const bus = {
    hasListener: async (subject: string) => isThere(subject),
    request: (subject: string, bytes: Uint8Array) =>
      new Promise<Uint8Array>((respond, reject) => {
        if (isThere(subject)) simulations.answer({ bytes, respond });
        else reject(new LogError('unavailable', 'Nobody answers.'));
      }),
  };
  return {
    ask: askSimulations(bus, (process) => process ?? 'new'),
    restart() {
      simulations = start();
    },
  };
}

const playAtOnce: Play = (plan, tell) => {
  let isEnded = false;
  queueMicrotask(() => {
    if (!isEnded) tell({ report: played(plan, () => {}) });
  });
  return async () => {
    isEnded = true;
  };
};
