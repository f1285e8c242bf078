import { pollIntervalMs } from '../lib/silence.ts';
import type { MessageToChild } from '../runtime/child-protocol.ts';
import { type ChildDefinition, type ChildListener, type ChildRun, runChild } from './child.ts';
import { type HangPolicy, isHung, isSilent } from './hang-policy.ts';
import { decide, noFailures, type RestartHistory } from './restart-policy.ts';

type TreeEvents = {
  /** A child said something. */
  readonly onMessage: ChildListener;
  /** The set of running processes changed. */
  readonly onProcesses: (processes: readonly RunningChild[]) => void;
  readonly onRestart: (name: string, how: string, afterMs: number) => void;
  /** A child shows no sign of life although its process is there. */
  readonly onHung: (name: string, silentMs: number, action: HangPolicy['action']) => void;
  /** A child that was only reported answers again. */
  readonly onResponsive: (name: string) => void;
  /** A dispensable child reached its limit and stays away; the others go on. */
  readonly onGivenUp: (name: string, reason: string) => void;
  /** A child reached its limit. The tree does nothing more by itself: stop it. */
  readonly onEscalate: (name: string, reason: string) => void;
};

type RunningChild = {
  readonly name: string;
  readonly pid: number;
  /** The port of its probes and metrics; null: none, or it does not listen yet. */
  readonly operationsPort: number | null;
};

export type ChildStatus = {
  readonly name: string;
  readonly ready: boolean;
  /** No sign of life for a while; the child may still come back. */
  readonly silent: boolean;
  readonly silentMs: number;
  /** How often it was found hung. */
  readonly hangs: number;
  readonly restarts: number;
  /** Not started any more; the others go on without it. */
  readonly givenUp: boolean;
  readonly operationsPort: number | null;
};

export type ProcessTree = {
  /** Starts a child; resolves true when it works for the first time, false when the tree stopped before. */
  add(definition: ChildDefinition): Promise<boolean>;
  send(name: string, message: MessageToChild): void;
  /** Drains a child; it then starts again. `hand_over`: others of its kind take its work over. */
  restart(name: string, drain?: 'end' | 'hand_over'): Promise<void>;
  status(): ChildStatus[];
  /**
   * Drains the children one after the other, the last added first, and those of a group together. Restarts
   * nothing any more. `limitMs`: for all of them, however many do not drain in their own time.
   */
  stop(limitMs?: number): Promise<void>;
};

type Supervised = {
  readonly definition: ChildDefinition;
  readonly settleFirstReady: (ready: boolean) => void;
  run: ChildRun;
  history: RestartHistory;
  restarts: number;
  hangs: number;
  /** Hung in this run, and reported as such. */
  hung: boolean;
  /** The child has worked in some run. */
  worked: boolean;
  givenUp: boolean;
  pendingRestart: NodeJS.Timeout | null;
};

/**
 * Supervises processes: one-for-one restarts with back-off and a limit, then escalates. With a policy for
 * hangs it reports a process without a sign of life, and by default ends it like a failed one.
 */
export function createProcessTree(events: TreeEvents, hangs: HangPolicy | null = null): ProcessTree {
  const children: Supervised[] = [];
  let stopping = false;
  const silenceTimer = hangs === null ? undefined : setInterval(() => checkSilences(hangs), pollIntervalMs);

  const processesChanged = (): void => {
    const runs = children.flatMap(({ definition, run, pendingRestart, givenUp }) =>
      run.pid === undefined || pendingRestart !== null || givenUp
        ? []
        : [{ name: definition.name, pid: run.pid, operationsPort: run.operationsPort }],
    );
    events.onProcesses(runs);
  };

  const onMessage: ChildListener = (name, message) => {
    events.onMessage(name, message);
    if (message.type === 'listening') processesChanged();
  };

  const watch = (child: Supervised): void => {
    const { run, definition } = child;
    const observe = async (): Promise<void> => {
      if (await run.whenReady) {
        child.worked = true;
        child.settleFirstReady(true);
      }
      const how = await run.whenEnded;
      if (!stopping) judge(child, how);
    };
    observe().catch((error) => events.onEscalate(definition.name, `cannot be supervised: ${String(error)}`));
  };

  const judge = (child: Supervised, how: string): void => {
    const nowMs = performance.now();
    const wasReady = child.run.wasReady;
    const ended = { ranMs: nowMs - child.run.startedAtMs, wasReady, nowMs };
    const { directive, history } = decide(child.history, ended);
    child.history = history;
    if (directive.kind === 'escalate') {
      escalate(child, `${directive.reason} (last: ${how})`);
      return;
    }
    events.onRestart(child.definition.name, how, directive.afterMs);
    child.pendingRestart = setTimeout(() => restart(child), directive.afterMs);
  };

  const escalate = (child: Supervised, reason: string): void => {
    const { name, dispensable } = child.definition;
    if (dispensable?.() !== true || !child.worked) {
      events.onEscalate(name, reason);
      return;
    }
    child.givenUp = true;
    events.onGivenUp(name, reason);
    processesChanged();
  };

  const restart = (child: Supervised): void => {
    child.pendingRestart = null;
    child.restarts += 1;
    child.hung = false;
    child.run = runChild(child.definition, onMessage);
    watch(child);
    processesChanged();
  };

  const checkSilences = (policy: HangPolicy): void => {
    for (const child of children) {
      if (child.pendingRestart !== null || child.givenUp || stopping) continue;
      child.run.checkSilence();
      judgeSilence(child, policy);
    }
  };

  const judgeSilence = (child: Supervised, policy: HangPolicy): void => {
    const { definition, run } = child;
    const hung = isHung(run.silentMs, !run.wasReady || definition.givesWay === true, policy);
    if (hung === child.hung) return;
    if (!hung) {
      // One that is being replaced and wakes up drains; it is not to be relied on any more.
      if (policy.action === 'replace') return;
      child.hung = false;
      events.onResponsive(definition.name);
      return;
    }
    child.hung = true;
    child.hangs += 1;
    events.onHung(definition.name, run.silentMs, policy.action);
    if (policy.action === 'replace') end(child);
  };

  /** A stopped process (SIGSTOP) does not get SIGTERM: SIGKILL follows in its time. */
  const end = ({ run }: Supervised): void => {
    run.stop().catch(() => {});
  };

  return {
    add(definition) {
      return new Promise((settleFirstReady) => {
        if (stopping) return settleFirstReady(false);
        const run = runChild(definition, onMessage);
        const child = {
          definition,
          settleFirstReady,
          run,
          history: noFailures,
          restarts: 0,
          hangs: 0,
          hung: false,
          worked: false,
          givenUp: false,
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
    async restart(name, drain = 'end') {
      const child = children.find(({ definition }) => definition.name === name);
      if (child === undefined || stopping || child.pendingRestart !== null) return;
      if (child.givenUp) {
        child.givenUp = false;
        child.history = noFailures;
        restart(child);
      } else await (drain === 'end' ? child.run.stop() : child.run.handOver());
    },
    status() {
      return children.map(
        ({ definition, run, restarts, hangs: hangCount, hung, givenUp, pendingRestart }) => {
          const running = pendingRestart === null && !givenUp;
          const silent = running && hangs !== null && (hung || isSilent(run.silentMs, hangs));
          return {
            name: definition.name,
            ready: run.ready && running && !silent,
            silent,
            silentMs: running ? run.silentMs : 0,
            hangs: hangCount,
            restarts,
            givenUp,
            operationsPort: run.operationsPort,
          };
        },
      );
    },
    async stop(limitMs) {
      stopping = true;
      clearInterval(silenceTimer);
      const startedAtMs = performance.now();
      for (const group of drainOrder(children)) {
        const leftMs =
          limitMs === undefined ? undefined : Math.max(0, limitMs - (performance.now() - startedAtMs));
        await Promise.all(group.map((child) => leave(child, leftMs)));
      }
    },
  };
}

async function leave(child: Supervised, limitMs: number | undefined): Promise<void> {
  if (child.pendingRestart !== null) clearTimeout(child.pendingRestart);
  else await child.run.stop(limitMs);
  child.settleFirstReady(false);
}

/** The last added first; neighbours of one group together. */
function drainOrder(children: readonly Supervised[]): Supervised[][] {
  const groups: Supervised[][] = [];
  for (const child of children.toReversed()) {
    const last = groups.at(-1);
    const { group } = child.definition;
    if (group !== undefined && last?.[0]?.definition.group === group) last.push(child);
    else groups.push([child]);
  }
  return groups;
}
