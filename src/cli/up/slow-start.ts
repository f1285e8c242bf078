import { crash } from '../../lib/crash.ts';
import type { ChildStatus } from '../../supervisor/process-tree.ts';
import { askReadiness } from '../system/readiness.ts';

type StartingChild = Pick<ChildStatus, 'name' | 'ready' | 'operationsPort'>;

const pollIntervalMs = 10_000;

/**
 * While a start takes long, prints what it waits for, again whenever that changes: a lane that halted with an
 * alarm keeps its role waiting for ever.
 */
export function reportSlowStart(
  tree: { status(): readonly StartingChild[] },
  logOf: (name: string) => string,
  print: (line: string) => void,
  everyMs = pollIntervalMs,
): { stop(): void } {
  const alarmed = new Map<string, string>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  const poll = async (): Promise<void> => {
    for (const child of tree.status()) {
      const reason = child.ready ? null : await whyUnready(child);
      if (stopped || reason === null || alarmed.get(child.name) === reason) continue;
      alarmed.set(child.name, reason);
      print(`${child.name} is not ready yet: ${reason}. Log: ${logOf(child.name)}`);
    }
  };
  const again = (): void => {
    timer = setTimeout(() => {
      poll()
        .catch(crash)
        .finally(() => stopped || again());
    }, everyMs);
  };
  again();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The reason that its /readyz gives; null: it is ready by now. */
async function whyUnready(child: StartingChild): Promise<string | null> {
  if (child.operationsPort === null) return 'starting';
  return (await askReadiness(child.operationsPort)).reason;
}
