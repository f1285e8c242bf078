import { mergeMetrics, type RoleMetrics } from '../../supervisor/merge-metrics.ts';
import { type OperationsServer, startOperationsServer } from '../../supervisor/operations-server.ts';
import type { ChildStatus, ProcessTree } from '../../supervisor/process-tree.ts';

const scrapeTimeoutMs = 2000;

/** The operations port of `up`: ready when all children are, and the metrics of all of them in one text. */
export function startTreeOperations(
  tree: ProcessTree,
  isStarted: () => boolean,
  port: number,
): Promise<OperationsServer> {
  return startOperationsServer(
    {
      readyz: () => {
        if (!isStarted()) return 'starting';
        const waiting = tree.status().filter((child) => !child.ready);
        return waiting.length === 0 ? null : `waiting for ${waiting.map((child) => child.name).join(', ')}`;
      },
      metrics: async () => {
        const children = tree.status();
        const scraped = await Promise.all(children.map(scrape));
        return mergeMetrics([{ role: 'up', text: ownMetrics(children) }, ...scraped]);
      },
    },
    port,
  );
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
    '# HELP potstream_child_restarts_total Restarts of a child of the process tree.',
    '# TYPE potstream_child_restarts_total counter',
    ...children.map((child) => `potstream_child_restarts_total{child="${child.name}"} ${child.restarts}`),
  ];
  return lines.join('\n');
}
