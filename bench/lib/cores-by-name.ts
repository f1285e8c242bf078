import { processTree } from './processor-time.ts';
import type { Row } from './report.ts';

/** Processor seconds so far, by what used them. */
export type Uses = Readonly<Record<string, number>>;

/** The cores that several systems use, each while its own load runs. */
export class CoresByName {
  readonly #systems = new Map<string, { seconds: number; readonly used: Map<string, number> }>();

  /** @param when what the report calls this load */
  async during<T>(when: string, uses: () => Uses, run: () => Promise<T>): Promise<T> {
    const before = uses();
    const begun = performance.now();
    const result = await run();
    const known = this.#systems.get(when) ?? { seconds: 0, used: new Map<string, number>() };
    this.#systems.set(when, known);
    known.seconds += (performance.now() - begun) / 1_000;
    for (const [name, seconds] of Object.entries(uses()))
      known.used.set(name, (known.used.get(name) ?? 0) + seconds - (before[name] ?? 0));
    return result;
  }

  cores(when: string): ReadonlyMap<string, number> {
    const { seconds, used } = this.#systems.get(when) ?? { seconds: 1, used: new Map<string, number>() };
    return new Map([...used].map(([name, each]) => [name, each / seconds]));
  }

  report(): Row['processors'] {
    return [...this.#systems.keys()].flatMap((when) =>
      [...this.cores(when)].map(([name, cores]) => ({ process: `${name} (${when})`, cores })),
    );
  }
}

/** What a process and everything below it use, by name. */
export function usesBelow(pid: number): Uses {
  const uses: Record<string, number> = {};
  for (const { name, cpuSeconds } of processTree(pid)) uses[name] = (uses[name] ?? 0) + cpuSeconds;
  return uses;
}
