import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../jackpot/mixed/random.ts';
import { HeartbeatWatch } from '../check/heartbeat-watch.ts';
import { createOperators } from '../client/operators.ts';
import { Traffic } from '../client/traffic.ts';
import { ChaosSystem } from '../system/chaos-system.ts';
import { checkBooks, untilAtRest } from './books.ts';
import type { Results } from './results.ts';
import type { Scenario, World } from './scenario.ts';
import { until } from './wait.ts';

const defaultSenders = 6;
const paidSenders = 2;
/** A fault comes at a moment within it. */
const maxBeforeMs = 900;
/** The system serves again once so many answers came after the fault was healed. */
const freeAnswers = 40;
const paidAnswers = 3;

export interface CampaignOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly seconds: number;
  readonly keepData: boolean;
  readonly print: (line: string) => void;
  readonly results: Results;
}

export interface CampaignResult {
  readonly scenario: string;
  readonly rounds: number;
  /** The longest time without an answer in each round. */
  readonly freeGapsMs: readonly number[];
  readonly paidGapsMs: readonly number[];
  readonly sent: number;
  readonly lost: number;
  readonly doubled: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly notes: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

/** Lives a scenario on a system of its own. Its data directory is left where something was violated. */
export async function runCampaign(scenario: Scenario, options: CampaignOptions): Promise<CampaignResult> {
  const dataDirectory = mkdtempSync(join(tmpdir(), `potstream-chaos-${scenario.name}-`));
  const campaign = new Campaign(scenario, options, dataDirectory);
  const result = await campaign.run();
  options.results.checked(campaign.id, result);
  if (result.violations.length === 0 && !options.keepData)
    rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  else {
    writeFileSync(join(dataDirectory, 'violations.txt'), `${result.violations.join('\n')}\n`);
    options.print(`Data of the system: ${dataDirectory}`);
  }
  return result;
}

class Campaign {
  readonly id = new Date().toISOString();
  readonly #scenario: Scenario;
  readonly #options: CampaignOptions;
  readonly #dataDirectory: string;
  readonly #violations: string[] = [];
  readonly #notes = new Map<string, number>();
  readonly #freeGapsMs: number[] = [];
  readonly #paidGapsMs: number[] = [];
  #traffic: Traffic | null = null;
  #lost = 0;
  #doubled = 0;

  constructor(scenario: Scenario, options: CampaignOptions, dataDirectory: string) {
    this.#scenario = scenario;
    this.#options = options;
    this.#dataDirectory = dataDirectory;
  }

  async run(): Promise<CampaignResult> {
    let system: ChaosSystem | null = null;
    try {
      system = await ChaosSystem.start(this.#dataDirectory, this.#scenario.topology);
      await this.#live(system);
    } catch (error) {
      this.#violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      await system?.stop();
    }
    return this.#result();
  }

  async #live(system: ChaosSystem): Promise<void> {
    const startedMs = Date.now();
    const watch = new HeartbeatWatch(() => system.settings('lane'));
    try {
      const operators = await createOperators(system);
      const traffic = new Traffic(system.gatewayUrls, new Random(this.#options.seed));
      this.#traffic = traffic;
      traffic.start(operators.free, this.#scenario.senders ?? defaultSenders);
      traffic.start(operators.paid, paidSenders);
      const world = this.#world({ system, watch, operators, traffic });
      await this.#serves(world);
      for (let round = 1; round <= this.#options.rounds; round += 1) await this.#round(world, round);
      await traffic.stop();
      const { lost, doubled, faults } = await checkBooks(world, startedMs);
      this.#lost = lost;
      this.#doubled = doubled;
      this.#violations.push(...faults, ...watch.faults, ...traffic.faults);
    } finally {
      await watch.close();
    }
  }

  async #round(world: World, round: number): Promise<void> {
    await world.steady();
    await pause(world.random.below(maxBeforeMs));
    const fromMs = performance.now();
    await this.#scenario.round(world);
    await this.#serves(world);
    const toMs = performance.now();
    const [free, paid] = (['free', 'paid'] as const).map((kind) => world.traffic.gap(kind, fromMs, toMs));
    this.#freeGapsMs.push(free as number);
    this.#paidGapsMs.push(paid as number);
    const { rounds, print, results } = this.#options;
    results.round(this.id, this.#scenario.name, round, free as number, paid as number);
    print(`round ${round} of ${rounds}: ${free?.toFixed(0)} ms without an answer`);
  }

  /** Every process works, and both kinds of contributions are answered again. */
  async #serves(world: World): Promise<void> {
    const { traffic } = world;
    const [free, paid] = [traffic.answered('free') + freeAnswers, traffic.answered('paid') + paidAnswers];
    await world.steady();
    await until('contributions are answered again', async () => {
      const answered = `${traffic.answered('free')} of ${free}, paid ${traffic.answered('paid')} of ${paid}`;
      if (traffic.faults.length > 0) throw new Error(traffic.faults.join('; '));
      return (traffic.answered('free') >= free && traffic.answered('paid') >= paid) || answered;
    });
  }

  #world(parts: Pick<World, 'system' | 'watch' | 'operators' | 'traffic'>): World {
    const { system, watch } = parts;
    return {
      ...parts,
      random: new Random(this.#options.seed + 1),
      seconds: this.#options.seconds,
      violated: (what) => void this.#violations.push(what),
      note: (what) => void this.#notes.set(what, (this.#notes.get(what) ?? 0) + 1),
      atRest: () => untilAtRest(parts.operators.paying),
      async steady() {
        await system.ready();
        await until('the lane has an owner and a warm standby', async () => {
          const shard = await watch.shard();
          const isCovered = system.topology.hosts === 1 || shard.standby_warm;
          return (
            (shard.owner !== null && shard.condition === 'serving' && isCovered) || JSON.stringify(shard)
          );
        });
      },
    };
  }

  #result(): CampaignResult {
    return {
      scenario: this.#scenario.name,
      rounds: this.#freeGapsMs.length,
      freeGapsMs: this.#freeGapsMs,
      paidGapsMs: this.#paidGapsMs,
      sent: this.#traffic?.sent.length ?? 0,
      lost: this.#lost,
      doubled: this.#doubled,
      errors: this.#traffic?.errors ?? new Map(),
      notes: this.#notes,
      violations: this.#violations,
    };
  }
}
