import type { Access } from '../../../access/access.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { nextTurn, type Steps } from '../../../lib/turns.ts';

/** A page sorts fewer items soon enough itself. */
const minItems = 5_000;
const everyMs = 1_000;

interface Warmable {
  warm(minItems: number): Steps<void>;
}

/** The maps whose pages are lists of the administration. */
export function listedMaps(
  { entries, lanes }: Pick<ReadModel, 'entries' | 'lanes'>,
  { sortedUsers, approvals }: Pick<Access, 'sortedUsers' | 'approvals'>,
): readonly Warmable[] {
  const { operators, brands, sources, segments, templates, webhookOriginRows } = entries;
  const directory = [operators, brands, sources, segments, templates, webhookOriginRows, lanes.instances];
  const { administrator, service } = sortedUsers;
  return [...directory, administrator, service, ...(approvals === null ? [] : [approvals.sorted])];
}

/** Makes the orders of large lists before a page asks for them (docs/decisions/0207). */
export function warmOrders(maps: readonly Warmable[], report: (error: unknown) => void): { stop(): void } {
  let isRunning = false;
  let isStopped = false;
  const warm = async (): Promise<void> => {
    isRunning = true;
    for (const map of maps) {
      for (const _ of map.warm(minItems)) {
        await nextTurn();
        if (isStopped) return;
      }
    }
    isRunning = false;
  };
  const start = (): void => {
    if (!isRunning) warm().catch(report);
  };
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
