import type { LaneReport } from '../../contracts/lanes/lane-report.ts';
import { type OperationsServer, startOperationsServer } from '../../runtime/operations-server.ts';
import { mergeMetrics, type RoleMetrics } from '../../supervisor/merge-metrics.ts';
import { writeFault } from '../../supervisor/nats-server/store-watch.ts';
import type { ChildStatus, ProcessTree } from '../../supervisor/process-tree.ts';
import { askReadiness, type Readiness } from '../system/readiness.ts';
import { isActors } from './children.ts';

const scrapeTimeoutMs = 2000;

type TreeProbes = {
  /** The start is complete. */
  readonly started: () => boolean;
  /** The problem that nats-server reports; null: none. */
  readonly storeFault: () => Promise<string | null>;
  /** What a person should look at beside what the children say. */
  readonly details: readonly string[];
  /** The metrics of the role storage, which runs in this process. */
  readonly storageMetrics: () => Promise<string>;
};

/** The operations port of `up`: ready if all children are, with the metrics of all in one text. */
export function startTreeOperations(
  tree: ProcessTree,
  probes: TreeProbes,
  address: { readonly host: string; readonly port: number },
): Promise<OperationsServer> {
  let last = nothingAsked;
  return startOperationsServer(
    {
      async readyz() {
        last = await askAll(tree.status(), probes.storeFault);
        return probes.started() ? last.reason : (last.reason ?? 'starting');
      },
      details: () => [...probes.details, ...last.details],
      lanes: () => last.lanes,
      metrics: async () => {
        const children = tree.status();
        const [storeFault, storage, reasons, ...scraped] = await Promise.all([
          probes.storeFault(),
          probes.storageMetrics(),
          Promise.all(children.map(async (child) => (await askChild(child, nothingKnown)).reason)),
          ...children.map(scrape),
        ]);
        const own = ownMetrics(children, reasons) + storeMetric(storeFault);
        return mergeMetrics([{ role: 'up', text: own }, { role: 'storage', text: storage }, ...scraped]);
      },
    },
    address,
  );
}

/** nats-server has a metric of its own. */
const nothingKnown = async (): Promise<null> => null;
const nothingAsked: Readiness = { reason: null, details: [], lanes: [] };

/** Asks each child again, except hung ones: earlier answers do not count. */
async function askAll(
  children: readonly ChildStatus[],
  storeFault: TreeProbes['storeFault'],
): Promise<Readiness> {
  const answers = await Promise.all(
    children.map(async (child) => ({ name: child.name, ...(await askChild(child, storeFault)) })),
  );
  const faults = answers.filter(({ reason }) => reason !== null);
  return {
    reason: faults.length === 0 ? null : faults.map(({ reason }) => reason).join('; '),
    details: answers.flatMap(({ name, details }) => details.map((line) => `${name}: ${line}`)),
    lanes: answers.filter(({ name }) => isActors(name)).flatMap(({ lanes }) => lanes),
  };
}

async function askChild(child: ChildStatus, storeFault: TreeProbes['storeFault']): Promise<Readiness> {
  const { name, operationsPort } = child;
  if (child.givenUp) return { ...nothingAsked, details: [`given up after ${child.restarts} restarts`] };
  if (child.silent) return { ...nothingAsked, reason: `${name} shows no sign of life` };
  if (!child.ready) return { ...nothingAsked, reason: `waiting for ${name}` };
  if (name === 'nats-server') return { ...nothingAsked, reason: named(name, await storeFault()) };
  if (operationsPort === null) return nothingAsked;
  const answer = await askReadiness(operationsPort);
  return { ...answer, reason: named(name, answer.reason) };
}

function named(name: string, fault: string | null): string | null {
  return fault === null ? null : `${name}: ${fault}`;
}

/** The lanes that do not serve, as their host reports; empty if it does not answer. */
export async function lanesOf(tree: Pick<ProcessTree, 'status'>): Promise<readonly LaneReport[]> {
  const hosts = tree.status().filter(({ name, silent }) => isActors(name) && !silent);
  const ports = hosts.flatMap(({ operationsPort }) => operationsPort ?? []);
  const answers = await Promise.all(ports.map((port) => askReadiness(port)));
  return answers.flatMap(({ lanes }) => lanes);
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

/** `reasons`: why each child is not ready now; null: it is. */
function ownMetrics(children: readonly ChildStatus[], reasons: readonly (string | null)[]): string {
  const isReady = ({ ready }: ChildStatus, at: number): number => Number(ready && reasons[at] === null);
  const lines = [
    '# HELP potstream_child_ready Whether a child of the process tree is ready (1) or not (0).',
    '# TYPE potstream_child_ready gauge',
    ...children.map((child, at) => `potstream_child_ready{child="${child.name}"} ${isReady(child, at)}`),
    '# HELP potstream_child_silent_seconds Time since the last sign of life of a child of the process tree.',
    '# TYPE potstream_child_silent_seconds gauge',
    ...children.map(
      (child) => `potstream_child_silent_seconds{child="${child.name}"} ${child.silentMs / 1000}`,
    ),
    '# HELP potstream_child_hangs_total Hangs of a child of the process tree.',
    '# TYPE potstream_child_hangs_total counter',
    ...children.map((child) => `potstream_child_hangs_total{child="${child.name}"} ${child.hangs}`),
    '# HELP potstream_child_restarts_total Restarts of a child of the process tree.',
    '# TYPE potstream_child_restarts_total counter',
    ...children.map((child) => `potstream_child_restarts_total{child="${child.name}"} ${child.restarts}`),
  ];
  return `${lines.join('\n')}\n`;
}

function storeMetric(fault: string | null): string {
  return [
    '# HELP potstream_nats_server_cannot_write 1 where nats-server says that it cannot write.',
    '# TYPE potstream_nats_server_cannot_write gauge',
    `potstream_nats_server_cannot_write ${fault === null || writeFault(fault) === null ? 0 : 1}`,
  ].join('\n');
}
