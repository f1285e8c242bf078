import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** With fewer cores, the roles and the log leave no core idle. */
const coresToSpare = 5;

const flags: readonly string[] = [
  // The old generation may grow to four times its live size before it is collected. By default V8 collects a few megabytes every
  // other second, and each time slows the process and its neighbours on the machine for tens of milliseconds.
  '--heap-growing-percent=300',
  // The engine consists of many small functions on one path: inlining more of them saves some percent of a contribution.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=4000',
  // A young collection takes a millisecond or two; with helper threads that wait for a core it takes up to fifteen.
  ...(availableParallelism() < coresToSpare ? ['--no-parallel-scavenge'] : []),
];

/**
 * Node's command-line flags for a role and its benchmarks. Objects of a request or message die before they are copied to the old
 * generation, for which the default of 16 MiB is too small. Compiler and collector threads take at most one core from the roles.
 */
export const commandLineFlags: readonly string[] = [
  '--max-semi-space-size=32',
  ...(availableParallelism() < coresToSpare ? ['--v8-pool-size=1'] : []),
];

/** Sets V8's flags for a role or a benchmark, before its code is compiled. V8 ignores flags that it does not know. */
export function setV8Flags(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
