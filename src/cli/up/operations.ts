import type { LaneReport } from '../../contracts/lane-report.ts';
import { mergeMetrics, type RoleMetrics } from '../../supervisor/merge-metrics.ts';
import { type OperationsServer, startOperationsServer } from '../../supervisor/operations-server.ts';
import type { ChildStatus, ProcessTree } from '../../supervisor/process-tree.ts';
import { askReadiness } from './ask-readiness.ts';

const scrapeTimeoutMs = 2000;
/** Whoever asks /readyz waits for a second or two: a child that has just hung must not take that long. */
const probeTimeoutMs = 500;

export type TreeProbes = {
  /** Everything of this start is there. */
  readonly started: () => boolean;
  /** What nats-server says is wrong with it; null: nothing. */
  readonly storeFault: () => Promise<string | null>;
};

/** The operations port of `up`: ready when all children say now that they are, and the metrics of all of them in one text. */
export function startTreeOperations(
  tree: ProcessTree,
  probes: TreeProbes,
  port: number,
): Promise<OperationsServer> {
  let details: readonly string[] = [];
  return startOperationsServer(
    {
      async readyz() {
        if (!probes.started()) return 'starting';
        const answers = await askAll(tree.status(), probes.storeFault);
        details = answers.flatMap((answer) => answer.details);
        const faults = answers.flatMap(({ fault }) => fault ?? []);
        return faults.length === 0 ? null : faults.join('; ');
      },
      details: () => details,
      lanes: () => lanesOf(tree),
      metrics: async () => {
        const children = tree.status();
        const scraped = await Promise.all(children.map(scrape));
        return mergeMetrics([{ role: 'up', text: ownMetrics(children) }, ...scraped]);
      },
    },
    port,
  );
}

type ChildAnswer = { readonly fault: string | null; readonly details: readonly string[] };

/** What a child said once does not count: each is asked anew, but for those whose silence is known. */
function askAll(
  children: readonly ChildStatus[],
  storeFault: TreeProbes['storeFault'],
): Promise<ChildAnswer[]> {
  return Promise.all(
    children.map(async (child) => {
      if (child.silent) return { fault: `${child.name} shows no sign of life`, details: [] };
      if (!child.ready) return { fault: `waiting for ${child.name}`, details: [] };
      if (child.name === 'nats-server') return { fault: named(child.name, await storeFault()), details: [] };
      if (child.operationsPort === null) return { fault: null, details: [] };
      const { reason, details } = await askReadiness(child.operationsPort);
      return { fault: named(child.name, reason), details: details.map((line) => `${child.name}: ${line}`) };
    }),
  );
}

function named(name: string, fault: string | null): string | null {
  return fault === null ? null : `${name}: ${fault}`;
}

/** How the lanes stand that do not serve, as their host says; none where it says nothing: then it is not ready itself. */
export async function lanesOf(tree: Pick<ProcessTree, 'status'>): Promise<readonly LaneReport[]> {
  const actors = tree.status().find(({ name }) => name === 'actors');
  const port = actors?.operationsPort ?? null;
  if (port === null || actors?.silent) return [];
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    const { lanes } = (await response.json()) as { readonly lanes?: readonly LaneReport[] };
    return lanes ?? [];
  } catch {
    return [];
  }
}

/** A child that does not answer has no metrics now; its absence shows in potstream_child_ready. */
async function scrape(child: ChildStatus): Promise<RoleMetrics> {
  if (child.operationsPort === null) return { role: child.name, text: '' };
  try {
    const response = await fetch(`http://127.0.0.1:${child.operationsPort}/metrics`, {
      signal: AbortSignal.timeout(scrapeTimeoutMs),
    });
    return { role: child.name, text: response.ok ? await response.text() : '' };
  } catch {
    return { role: child.name, text: '' };
  }
}

function ownMetrics(children: readonly ChildStatus[]): string {
  const lines = [
    '# HELP potstream_child_ready Whether a child of the process tree works (1) or not (0).',
    '# TYPE potstream_child_ready gauge',
    ...children.map((child) => `potstream_child_ready{child="${child.name}"} ${child.ready ? 1 : 0}`),
    '# HELP potstream_child_silent_seconds For how long a child of the process tree has shown no sign of life.',
    '# TYPE potstream_child_silent_seconds gauge',
    ...children.map(
      (child) => `potstream_child_silent_seconds{child="${child.name}"} ${child.silentMs / 1000}`,
    ),
    '# HELP potstream_child_hangs_total How often a child of the process tree was found hung.',
    '# TYPE potstream_child_hangs_total counter',
    ...children.map((child) => `potstream_child_hangs_total{child="${child.name}"} ${child.hangs}`),
    '# HELP potstream_child_restarts_total Restarts of a child of the process tree.',
    '# TYPE potstream_child_restarts_total counter',
    ...children.map((child) => `potstream_child_restarts_total{child="${child.name}"} ${child.restarts}`),
  ];
  return lines.join('\n');
}
