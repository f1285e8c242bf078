import { readFileSync } from 'node:fs';
import type { RunningSystem } from '../../support/system.ts';

interface Sample {
  readonly mebibytes: number;
  /** Another process may have taken the role. */
  readonly pid: number;
}

const everyMs = 2_000;
/** A role that grows by more between the second and the last quarter of its run is not flat. */
const maxGrowth = 0.25;

/** Resident memory of each role and of the client, sampled over a run. */
export class Memory {
  readonly #system: RunningSystem;
  readonly #samples = new Map<string, Sample[]>();
  #timer: NodeJS.Timeout | null = null;
  #isSampling = false;

  constructor(system: RunningSystem) {
    this.#system = system;
  }

  start(client: () => number | null): void {
    this.#timer = setInterval(() => {
      if (this.#isSampling) return;
      this.#isSampling = true;
      const next = () => {
        this.#isSampling = false;
      };
      this.#sample(client()).then(next, next);
    }, everyMs);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** A line for each role: medians of the four quarters of the run, the highest, and whether it is flat. */
  text(): string {
    const lines = [...this.#samples].map(([role, samples]) => {
      const quarters = [0, 1, 2, 3].map((quarter) => {
        const from = Math.floor((samples.length * quarter) / 4);
        return median(
          samples.slice(from, Math.max(from + 1, Math.floor((samples.length * (quarter + 1)) / 4))),
        );
      });
      const highest = Math.max(...samples.map(({ mebibytes }) => mebibytes));
      const growth = (quarters[3] ?? 0) / (quarters[1] || 1) - 1;
      const processes = new Set(samples.map(({ pid }) => pid)).size;
      const verdict = growth > maxGrowth ? `grew by ${Math.round(growth * 100)} %` : 'flat';
      return `  ${role.padEnd(12)} ${quarters.map((each) => String(each).padStart(6)).join('')}  at most ${highest}  in ${processes} processes  ${verdict}`;
    });
    return ['MiB of resident memory, by quarters of the run:', ...lines].join('\n');
  }

  async #sample(client: number | null): Promise<void> {
    const roles = [...(await this.#system.processes())];
    if (client !== null) roles.push(['send', client]);
    for (const [role, pid] of roles) {
      const mebibytes = residentMebibytes(pid);
      if (mebibytes !== null)
        this.#samples.set(role, [...(this.#samples.get(role) ?? []), { mebibytes, pid }]);
    }
  }
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ mebibytes }) => mebibytes).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** null: the process has ended. */
function residentMebibytes(pid: number): number | null {
  try {
    const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
  } catch {
    return null;
  }
}
