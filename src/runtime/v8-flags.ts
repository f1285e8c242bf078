import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** On fewer cores the roles and the log leave none idle. */
const coresToSpare = 5;

const flags: readonly string[] = [
  // The old generation may grow to four times of what lives in it before it is collected. By itself V8 collects a few megabytes every
  // other second, and each time slows the process, and its neighbours on the machine, for tens of milliseconds.
  '--heap-growing-percent=300',
  // The engine is many small functions on one path: with room to join them a contribution takes some percent less.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=4000',
  // A young collection takes a millisecond or two; with helpers who first wait for a core it takes up to fifteen.
  ...(availableParallelism() < coresToSpare ? ['--no-parallel-scavenge'] : []),
];

/**
 * What Node is told on the command line of a role, and of whatever measures one: what a request or a message needs dies before it is
 * copied to the old generation, for which the default of 16 MiB is too small; and the compiler and the collector, who work beside a role,
 * never take more than one core at a time from those who answer.
 */
export const commandLineFlags: readonly string[] = [
  '--max-semi-space-size=32',
  ...(availableParallelism() < coresToSpare ? ['--v8-pool-size=1'] : []),
];

/** How every role runs, and whatever measures one; to be called before its code is compiled. A V8 without one of the flags ignores it. */
export function setV8Flags(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
