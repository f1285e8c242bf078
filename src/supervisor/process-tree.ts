import { type ChildDefinition, type ChildListener, type ChildRun, runChild } from './child.ts';
import type { MessageToChild } from './child-protocol.ts';
import { decide, noFailures, type RestartHistory } from './restart-policy.ts';

export type TreeEvents = {
  /** A child said something. */
  readonly onMessage: ChildListener;
  /** The set of running processes changed. */
  readonly onProcesses: (processes: readonly { readonly name: string; readonly pid: number }[]) => void;
  readonly onRestart: (name: string, how: string, afterMs: number) => void;
  /** A child reached its limit. The tree does nothing more by itself: stop it. */
  readonly onEscalate: (name: string, reason: string) => void;
};

export type ChildStatus = {
  readonly name: string;
  readonly ready: boolean;
  readonly restarts: number;
  readonly operationsPort: number | null;
};

export type ProcessTree = {
  /** Adds a child and starts it; resolves true when it works for the first time, false when the tree stopped before. */
  add(definition: ChildDefinition): Promise<boolean>;
  send(name: string, message: MessageToChild): void;
  /** Drains a child; it then starts again like one that ended by itself. */
  restart(name: string): Promise<void>;
  status(): ChildStatus[];
  /** Drains the children one after the other, the last added first. Restarts nothing any more. */
  stop(): Promise<void>;
};

type Supervised = {
  readonly definition: ChildDefinition;
  readonly settleFirstReady: (ready: boolean) => void;
  run: ChildRun;
  history: RestartHistory;
  restarts: number;
  pendingRestart: NodeJS.Timeout | null;
};

/** Supervises processes: one-for-one restarts with back-off and a limit, then escalates. */
export function createProcessTree(events: TreeEvents): ProcessTree {
  const children: Supervised[] = [];
  let stopping = false;

  const processesChanged = (): void => {
    const runs = children.flatMap(({ definition, run, pendingRestart }) =>
      run.pid === undefined || pendingRestart !== null ? [] : [{ name: definition.name, pid: run.pid }],
    );
    events.onProcesses(runs);
  };

  const watch = (child: Supervised): void => {
    child.run.whenReady.then((ready) => {
      if (ready) child.settleFirstReady(true);
    });
    child.run.whenEnded.then((how) => {
      if (!stopping) judge(child, how);
    });
  };

  const judge = (child: Supervised, how: string): void => {
    const nowMs = Date.now();
    const wasReady = child.run.wasReady;
    const ended = { ranMs: nowMs - child.run.startedAtMs, wasReady, nowMs };
    const { directive, history } = decide(child.history, ended);
    child.history = history;
    if (directive.kind === 'escalate') {
      events.onEscalate(child.definition.name, `${directive.reason} (last: ${how})`);
      return;
    }
    events.onRestart(child.definition.name, how, directive.afterMs);
    child.pendingRestart = setTimeout(() => restart(child), directive.afterMs);
  };

  const restart = (child: Supervised): void => {
    child.pendingRestart = null;
    child.restarts += 1;
    child.run = runChild(child.definition, events.onMessage);
    watch(child);
    processesChanged();
  };

  return {
    add(definition) {
      return new Promise((settleFirstReady) => {
        if (stopping) return settleFirstReady(false);
        const run = runChild(definition, events.onMessage);
        const child = {
          definition,
          settleFirstReady,
          run,
          history: noFailures,
          restarts: 0,
          pendingRestart: null,
        };
        children.push(child);
        watch(child);
        processesChanged();
      });
    },
    send(name, message) {
      children.find(({ definition }) => definition.name === name)?.run.send(message);
    },
    async restart(name) {
      const child = children.find(({ definition }) => definition.name === name);
      if (child !== undefined && child.pendingRestart === null) await child.run.stop();
    },
    status() {
      return children.map(({ definition, run, restarts, pendingRestart }) => ({
        name: definition.name,
        ready: run.ready && pendingRestart === null,
        restarts,
        operationsPort: run.operationsPort,
      }));
    },
    async stop() {
      stopping = true;
      for (const child of children.toReversed()) {
        if (child.pendingRestart !== null) clearTimeout(child.pendingRestart);
        else await child.run.stop();
        child.settleFirstReady(false);
      }
    },
  };
}
