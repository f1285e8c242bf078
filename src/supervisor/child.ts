import type { ChildProcess } from 'node:child_process';
import { Silence } from '../lib/silence.ts';
import type { MessageToChild, MessageToParent } from '../runtime/child-protocol.ts';

/** One child of the tree: its name, how it starts, how it reports ready, how long it may drain. */
export type ChildDefinition = {
  readonly name: string;
  /** Starts the process, now. */
  readonly start: () => ChildProcess;
  /**
   * For a child that does not report `ready` itself: resolves true once it works, false if it does not.
   */
  readonly probe?: (ended: AbortSignal) => Promise<boolean>;
  /** For a child that does not report `alive` itself: asks for a sign of life. */
  readonly isAlive?: (ended: AbortSignal) => Promise<boolean>;
  readonly drainTimeoutMs: number;
  /** Whether the system works without it just now: then, once it was ready, its failures end nothing else. */
  readonly dispensable?: () => boolean;
  /** Whether it has the lowest priority: others may keep it from a sign of life for a while. */
  readonly givesWay?: boolean;
  /** Neighbours of one group drain at the same time. */
  readonly group?: string;
  /** How much longer it may drain where others of its kind take over. */
  readonly handOverTimeoutMs?: number;
};

export type ChildRun = {
  readonly name: string;
  readonly pid: number | undefined;
  readonly startedAtMs: number;
  /** Ready now. */
  readonly ready: boolean;
  /** Ready at some time in this run. */
  readonly wasReady: boolean;
  readonly operationsPort: number | null;
  /** For how long it has shown no sign of life, in looks. */
  readonly silentMs: number;
  /** To be called every `pollIntervalMs`. */
  checkSilence(): void;
  /** Resolves true at the first `ready`, false when the process ends without one. */
  readonly whenReady: Promise<boolean>;
  /** Resolves with the reason of its end, as text. */
  readonly whenEnded: Promise<string>;
  send(message: MessageToChild): void;
  /** SIGTERM, then SIGKILL when it has not drained in its time, or in `limitMs` where that is shorter. */
  stop(limitMs?: number): Promise<void>;
  /** The same where others take the work over: a message in place of SIGTERM says so. */
  handOver(): Promise<void>;
};

export type ChildListener = (name: string, message: MessageToParent) => void;

/** Starts a child once and watches it until it ends. */
export function runChild(definition: ChildDefinition, listener: ChildListener): ChildRun {
  const child = definition.start();
  const over = new AbortController();
  let ready = false;
  let operationsPort: number | null = null;
  let asking = false;
  const silence = new Silence();
  let settleReady: (ready: boolean) => void;
  const whenReady = new Promise<boolean>((resolve) => {
    settleReady = resolve;
  });
  const whenEnded = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      over.abort();
      settleReady(false);
      resolve(how);
    };
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : signal));
    child.once('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
  });
  const becomeReady = (): void => {
    ready = true;
    settleReady(true);
  };
  child.on('message', (message) => {
    const received = message as MessageToParent;
    silence.reset();
    if (received.type === 'listening') operationsPort = received.operationsPort;
    if (received.type === 'ready') becomeReady();
    listener(definition.name, received);
  });
  const judgeStart = (works: boolean): void => {
    if (works) {
      becomeReady();
      listener(definition.name, { type: 'ready' });
    } else if (!over.signal.aborted) child.kill('SIGKILL');
  };
  const send = (message: MessageToChild): void => {
    if (child.connected) child.send(message, () => {});
  };
  const endWithin = async (limitMs: number): Promise<void> => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), limitMs);
    await whenEnded;
    clearTimeout(impatience);
  };
  definition.probe?.(over.signal).then(judgeStart, () => judgeStart(false));
  const ask = (isAlive: (ended: AbortSignal) => Promise<boolean>): void => {
    if (asking) return;
    asking = true;
    const answered = (alive: boolean): void => {
      asking = false;
      if (alive) silence.reset();
    };
    isAlive(over.signal).then(answered, () => answered(false));
  };
  return {
    name: definition.name,
    pid: child.pid,
    startedAtMs: performance.now(),
    get ready() {
      return ready && !over.signal.aborted;
    },
    get wasReady() {
      return ready;
    },
    get operationsPort() {
      return operationsPort;
    },
    get silentMs() {
      return silence.ms;
    },
    checkSilence() {
      // A child that is asked has a probe for its start.
      if (over.signal.aborted || (definition.isAlive !== undefined && !ready)) return;
      silence.polled();
      if (definition.isAlive !== undefined) ask(definition.isAlive);
    },
    whenReady,
    whenEnded,
    send,
    async stop(limitMs = definition.drainTimeoutMs) {
      child.kill('SIGTERM');
      await endWithin(Math.min(definition.drainTimeoutMs, limitMs));
    },
    async handOver() {
      send({ type: 'hand_over' });
      await endWithin(definition.drainTimeoutMs + (definition.handOverTimeoutMs ?? 0));
    },
  };
}
