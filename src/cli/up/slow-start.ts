import { crash } from '../../lib/crash.ts';
import type { ChildStatus } from '../../supervisor/process-tree.ts';
import { askReadiness } from './ask-readiness.ts';

type StartingChild = Pick<ChildStatus, 'name' | 'ready' | 'operationsPort'>;

const pollIntervalMs = 10_000;

/**
 * While a start takes long, says what it waits for, and says it again when that changes: a lane that stopped with an alarm
 * keeps its role waiting for ever, which must not look like patience.
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
      print(`${child.name} does not work yet: ${reason}. Its log: ${logOf(child.name)}`);
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

/** The word that its /readyz says; null when it became ready meanwhile. */
async function whyUnready(child: StartingChild): Promise<string | null> {
  if (child.operationsPort === null) return 'starting';
  return (await askReadiness(child.operationsPort)).reason;
}
