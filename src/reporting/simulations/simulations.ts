import { operatorOf } from '../../contracts/fields/identifiers.ts';
import {
  decodeSimulationQuestion,
  encodeSimulationMessage,
  type SimulationAnswer,
  type SimulationPlan,
  type SimulationQuestion,
  type SimulationView,
} from '../../contracts/reports/simulations.ts';
import { toHex } from '../../lib/bytes.ts';
import type { BusMessage, Clock, Random } from '../../ports.ts';
import { reportingLimits as limits } from '../base/limits.ts';
import type { FromPlay, Play } from './play.ts';

interface SimulationPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly play: Play;
  readonly report: (error: unknown) => void;
}

interface Simulation {
  readonly account: string;
  readonly owner: string;
  readonly plan: SimulationPlan;
  view: SimulationView;
  /** When it ended; null: it has not. */
  endedMs: number | null;
}

const missing: SimulationAnswer = { kind: 'missing' };
const followed = 'Another simulation of the same account has followed.';
const tooSlow = `It was not over within ${limits.simulationWithinMs / 60_000} minutes: ask for fewer contributions.`;

/**
 * Plays one simulation after the other, in the order of their beginning, and keeps what they found for an
 * hour. An account has one that is not over, an operator few, and all together a few more
 * (docs/rules/simulations.md "Limits").
 */
export class Simulations {
  /** Names this process in the ids of its simulations. */
  readonly process: string;
  readonly #ports: SimulationPorts;
  /** By id, in the order of their beginning. */
  readonly #all = new Map<string, Simulation>();
  #running: {
    readonly of: Simulation;
    readonly end: () => Promise<void>;
    readonly cancel: () => void;
  } | null = null;

  constructor(ports: SimulationPorts) {
    this.#ports = ports;
    this.process = toHex(ports.random.bytes(8));
  }

  answer({ bytes, respond }: Pick<BusMessage, 'bytes' | 'respond'>): void {
    const question = decodeSimulationQuestion(bytes);
    respond(encodeSimulationMessage(question === null ? missing : this.#answer(question)));
  }

  async stop(): Promise<void> {
    this.#all.clear();
    this.#running?.cancel();
    await this.#running?.end();
  }

  #answer(question: SimulationQuestion): SimulationAnswer {
    this.#forget();
    if (question.kind === 'begin') return this.#begin(question);
    const found = this.#all.get(question.id);
    if (found === undefined || found.account !== question.account) return missing;
    if (question.kind === 'end') {
      this.#ended(found, { state: 'failed' });
      this.#all.delete(question.id);
    }
    return answerOf(found);
  }

  #begin({ account, owner, plan }: Extract<SimulationQuestion, { kind: 'begin' }>): SimulationAnswer {
    const open = [...this.#all.values()].filter(({ endedMs }) => endedMs === null);
    const others = open.filter((each) => each.account !== account);
    const ofOperator = others.filter((each) => operatorOf(each.owner) === operatorOf(owner));
    if (others.length >= limits.simulations || ofOperator.length >= limits.simulationsOfOperator)
      return { kind: 'full' };
    const id = `${this.process}-${toHex(this.#ports.random.bytes(16))}`;
    const view: SimulationView = { id, state: 'waiting', progress: 0, message: null, report: null };
    const simulation = { account, owner, plan, view, endedMs: null };
    this.#all.set(id, simulation);
    for (const former of open)
      if (former.account === account) this.#ended(former, { state: 'failed', message: followed });
    this.#next();
    return answerOf(simulation);
  }

  #next(): void {
    if (this.#running !== null) return;
    const of = [...this.#all.values()].find(({ endedMs }) => endedMs === null);
    if (of === undefined) return;
    of.view = { ...of.view, state: 'running' };
    const end = this.#ports.play(of.plan, (message) => this.#told(of, message));
    const cancel = this.#ports.clock.after(limits.simulationWithinMs, () =>
      this.#ended(of, { state: 'failed', message: tooSlow }),
    );
    this.#running = { of, end, cancel };
  }

  #told(of: Simulation, message: FromPlay): void {
    if (of.endedMs !== null) return;
    if ('progress' in message) of.view = { ...of.view, progress: Math.min(1, message.progress) };
    else if ('report' in message) this.#ended(of, { state: 'done', progress: 1, report: message.report });
    else this.#ended(of, { state: 'failed', message: message.failed });
  }

  #ended(of: Simulation, members: Partial<SimulationView>): void {
    if (of.endedMs !== null) return;
    of.endedMs = this.#ports.clock.elapsedMs();
    of.view = { ...of.view, ...members };
    const running = this.#running;
    if (running?.of !== of) return;
    running.cancel();
    // The next one begins once the thread of this one is gone.
    running
      .end()
      .catch(this.#ports.report)
      .then(() => {
        this.#running = null;
        this.#next();
      })
      .catch(this.#ports.report);
  }

  /** What ended long ago, and the oldest of too many. */
  #forget(): void {
    const oldestMs = this.#ports.clock.elapsedMs() - limits.simulationKeptMs;
    const ended = [...this.#all].filter(([, { endedMs }]) => endedMs !== null);
    for (const [at, [id, { endedMs }]] of ended.entries())
      if (endedMs! < oldestMs || at < ended.length - limits.simulationsKept) this.#all.delete(id);
  }
}

function answerOf({ owner, view }: Simulation): SimulationAnswer {
  return { kind: 'simulation', owner, simulation: view };
}
