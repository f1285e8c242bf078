import { Worker } from 'node:worker_threads';
import type { SimulationPlan, SimulationView } from '../../contracts/reports/simulations.ts';
import { reportingLimits } from '../base/limits.ts';

/** What a simulation says while it is played. The last is a report or why there is none. */
export type FromPlay =
  | { readonly progress: number }
  | { readonly report: NonNullable<SimulationView['report']> }
  | { readonly failed: string };

/** Begins to play, and returns how to end it early. */
export type Play = (plan: SimulationPlan, tell: (message: FromPlay) => void) => () => Promise<void>;

const tooLarge = 'It needs too much memory: ask for fewer contributions or players.';
const broken = 'It broke off.';

/** Plays on a thread with a heap of its own: an end without a report is one of that simulation alone. */
export function playOnThread(program: string, report: (error: unknown) => void): Play {
  return (plan, tell) => {
    const thread = new Worker(program, {
      workerData: plan,
      resourceLimits: { maxOldGenerationSizeMb: reportingLimits.simulationHeapMb },
    });
    thread.unref();
    thread.on('message', tell);
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return tell({ failed: tooLarge });
      report(error);
      tell({ failed: broken });
    });
    thread.once('exit', () => tell({ failed: broken }));
    return async () => void (await thread.terminate());
  };
}
