import { crash } from '../../lib/crash.ts';
import type { ChildStatus } from '../../supervisor/process-tree.ts';
import { askReadiness } from './ask-readiness.ts';

type StartingChild = Pick<ChildStatus, 'name' | 'ready' | 'operationsPort'>;

const lookEveryMs = 10_000;

/**
 * While a start takes long, says what it waits for, and says it again when that changes: a lane that stopped with an alarm
 * keeps its role waiting for ever, which must not look like patience.
 */
export function tellSlowStart(
  tree: { status(): readonly StartingChild[] },
  logOf: (name: string) => string,
  say: (line: string) => void,
  everyMs = lookEveryMs,
): { stop(): void } {
  const told = new Map<string, string>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    for (const child of tree.status()) {
      const reason = child.ready ? null : await whyUnready(child);
      if (stopped || reason === null || told.get(child.name) === reason) continue;
      told.set(child.name, reason);
      say(`${child.name} does not work yet: ${reason}. Its log: ${logOf(child.name)}`);
    }
  };
  const again = (): void => {
    timer = setTimeout(() => {
      look()
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

/** The word that its /readyz says; null when it became ready meanwhile. */
async function whyUnready(child: StartingChild): Promise<string | null> {
  if (child.operationsPort === null) return 'starting';
  return (await askReadiness(child.operationsPort)).reason;
}
