import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** On fewer cores the roles and the log use all of them. */
const coresToSpare = 5;

/**
 * The old generation may grow to four times its live size before it is collected. By default V8 collects a
 * few megabytes every other second, and each time slows the process and its neighbours on the machine for
 * tens of milliseconds.
 */
const roomToGrow = '--heap-growing-percent=300';

const flags: readonly string[] = [
  // The engine consists of many small functions on one path: inlining more of them saves some percent of a
  // contribution.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=4000',
  // What the warm-up has compiled stays through the collections of a restoration.
  '--no-flush-bytecode',
  // A young collection takes a millisecond or two; with helper threads that wait for a core it takes up to
  // fifteen.
  ...(availableParallelism() < coresToSpare ? ['--no-parallel-scavenge'] : []),
];

/**
 * Flags on the command line of a role and of its benchmarks. The young generation is large enough for the
 * objects of a request to die in it (the default of 16 MiB is too small). On few cores, compiler and
 * collector take at most one at a time.
 */
export const commandLineFlags: readonly string[] = flagsWithYoung(32);

/** What a fan-out makes is few objects that die, and many that stay: its memory is for sockets. */
const sparing = 'fanout';
const sparingFlags = flagsWithYoung(4);

/** Those of a role's process. */
export function commandLineFlagsOf(role: string): readonly string[] {
  return role === sparing ? sparingFlags : commandLineFlags;
}

function flagsWithYoung(mebibytes: number): readonly string[] {
  const pool = availableParallelism() < coresToSpare ? ['--v8-pool-size=1'] : [];
  return [`--max-semi-space-size=${mebibytes}`, ...pool];
}

/** Sets V8's flags, before the code of a role or a benchmark is compiled. V8 ignores unknown flags. */
export function setV8Flags(role: string | null = null): void {
  for (const flag of role === sparing ? flags : [roomToGrow, ...flags]) setFlagsFromString(flag);
}
