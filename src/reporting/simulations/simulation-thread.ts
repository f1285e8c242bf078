/** The thread that plays one simulation, and ends with it. Started by simulations/play.ts. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { SimulationPlan } from '../../contracts/reports/simulations.ts';
import { assert } from '../../lib/assert.ts';
import { reportingLimits } from '../base/limits.ts';
import type { FromPlay } from './play.ts';
import { played } from './played.ts';

assert(parentPort !== null, 'this is a thread');
const parent = parentPort;
const plan = workerData as SimulationPlan;
const tell = (message: FromPlay): void => parent.postMessage(message);

// On Linux it is the thread's own.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
let saidMs = performance.now();
const report = played(plan, (done) => {
  const nowMs = performance.now();
  if (nowMs - saidMs < reportingLimits.simulationProgressMs) return;
  saidMs = nowMs;
  tell({ progress: done / plan.contributions });
});
tell({ report });
