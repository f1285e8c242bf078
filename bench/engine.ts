import { createHashing } from '../src/actors/epochs/keys/hashing.ts';
import { plainContribution } from '../src/actors/replica/plain-contribution.ts';
import { createLane, type EngineMessage, type LaneEngine } from '../src/jackpot/lane/lane.ts';
import { commitOf } from '../src/jackpot/rules/keystreams/keys.ts';
import type { Command } from '../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../src/messages/instance-commands.ts';
import type { Contribute } from '../src/messages/player-commands.ts';

export interface EngineBenchOptions {
  readonly contributions: number;
  readonly batch: number;
  readonly players: number;
  /** Instances that the contributions of a message go to, in turn. */
  readonly instances: number;
}

export interface EngineBenchResult extends EngineBenchOptions {
  readonly contributionsPerSecond: number;
  /** The same by processor time: what one core does where others want it too. */
  readonly contributionsPerProcessorSecond: number;
  readonly wins: number;
  /** Σ of the accounts of the first instance afterwards: 0, or the figure is worthless. */
  readonly imbalanceAtoms: bigint;
}

const maxMessagesAtOnce = 20;
const startMs = 1_700_000_000_000;
/** Seeds need no secrecy here. */
const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });

const configuration: InstanceConfigurationDocument = {
  currency: 'EUR',
  jackpot_type: 'Jackpot',
  contribution_rules: { contribution_type: { Percentage: '0.01' } },
  house_pot: { contribution_type: { Percentage: '0.05' } },
  pots: [
    { id: 'mini', share: '0.3', odds: 20_000, seed: '10' },
    { id: 'major', share: '0.3', odds: 500_000, seed: '250' },
    { id: 'grand', share: '0.35', odds: 20_000_000, seed: '10000' },
  ].map(({ id, share, odds, seed }) => ({
    id,
    contribution: { Percentage: share },
    seed_contribution: { Percentage: '0.4' },
    seed_strategy: { initial_seed_value: seed, min_reseed_value: seed, fund_strategy: 'CollectAll' },
    pot_types: [{ HitRate: { max_magic_number: odds, cost_per_attempt: '0.01' } }],
  })),
};

/**
 * The engine alone: contributions to instances of three pots, each drawn, with player counters, an
 * idempotency key and double entry. Messages are made outside the measured time, as if they came decoded from
 * the log.
 */
export function benchEngine(changes: Partial<EngineBenchOptions> = {}): EngineBenchResult {
  const options = { contributions: 2_000_000, batch: 200, players: 100_000, instances: 1, ...changes };
  const engine = createLane(hashing, { epochMs: 86_400_000, epochSequences: 2 ** 20 });
  engine.apply({ sequence: 1, timestampMs: startMs, commands: setUp(options.instances) });
  measure(engine, { ...options, contributions: Math.min(300_000, options.contributions) });
  const { seconds, processorSeconds, wins } = measure(engine, options);
  const accounts = engine.accounts(idOf(0)) ?? [];
  return {
    ...options,
    contributionsPerSecond: Math.round(options.contributions / seconds),
    contributionsPerProcessorSecond: Math.round(options.contributions / processorSeconds),
    wins,
    imbalanceAtoms: accounts.reduce((sum, [, atoms]) => sum + atoms, 0n),
  };
}

interface Measured {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly wins: number;
}

function measure(engine: LaneEngine, options: EngineBenchOptions): Measured {
  let nanoseconds = 0n;
  let processorMicroseconds = 0;
  let wins = 0;
  for (let made = 0; made < options.contributions; ) {
    const messages: EngineMessage[] = [];
    for (let i = 0; i < maxMessagesAtOnce && made < options.contributions; i++, made += options.batch) {
      messages.push(message(engine.appliedSequence + 1 + i, options));
    }
    const processor = process.cpuUsage();
    const begun = process.hrtime.bigint();
    for (const each of messages) wins += countWins(engine, each);
    nanoseconds += process.hrtime.bigint() - begun;
    const { user, system } = process.cpuUsage(processor);
    processorMicroseconds += user + system;
    writeEpochs(engine);
  }
  return { seconds: Number(nanoseconds) / 1e9, processorSeconds: processorMicroseconds / 1e6, wins };
}

function countWins(engine: LaneEngine, each: EngineMessage): number {
  let wins = 0;
  for (const event of engine.apply(each).events) if (event.kind === 'Won') wins += 1;
  return wins;
}

function message(sequence: number, options: EngineBenchOptions): EngineMessage {
  const commands: Contribute[] = [];
  for (let i = 0; i < options.batch; i++) {
    const number = sequence * options.batch + i;
    commands.push(contribution(number, options));
  }
  return { sequence, timestampMs: startMs + sequence, commands };
}

/** Wagers of a slot game's few stakes; players at random, but the same in every run. */
export function contribution(number: number, options: EngineBenchOptions): Contribute {
  const dice = Math.imul(number, 0x9e3779b1) >>> 0;
  const key = new Uint8Array(16);
  new DataView(key.buffer).setUint32(0, dice);
  new DataView(key.buffer).setUint32(8, number);
  const stakes = [20_000_000n, 50_000_000n, 100_000_000n, 250_000_000n, 500_000_000n];
  return plainContribution({
    contributionId: key,
    instance: idOf(number % options.instances),
    operator: 'bench',
    brand: 'bench:main',
    player: `player-${dice % options.players}`,
    country: 'DE',
    baseWagerAtoms: stakes[dice % stakes.length]!,
    currency: 'EUR',
    gameround: 'round',
    idempotencyKey: key,
  });
}

/** Instances that are Active, with the seeds of their first epochs. */
export function setUp(instances: number): readonly Command[] {
  const commands: Command[] = [
    {
      kind: 'SetBrand',
      brand: 'bench:main',
      salt: new Uint8Array(32),
      wallet: false,
      provider: '',
      closeRounds: false,
      verificationLimitAtoms: null,
      verificationCurrency: 'EUR',
    },
  ];
  for (let i = 0; i < instances; i++) {
    commands.push(create(idOf(i)), openEpoch(idOf(i), 0, [0, 1, 2]), {
      kind: 'SetStatus',
      instance: idOf(i),
      status: 'Active',
      reason: '',
      to: '',
      user: 'bench',
      expectedVersion: null,
    });
  }
  return commands;
}

export function create(instance: string): Command {
  return {
    kind: 'CreateInstance',
    instance,
    group: 'bench',
    owner: 'bench',
    templateOwner: 'bench',
    template: 'three-pots',
    name: '',
    description: '',
    gameCode: 'slot-1',
    timestampStartMs: null,
    timestampEndMs: null,
    configuration,
    user: 'bench',
  };
}

function writeEpochs(engine: LaneEngine): void {
  for (const commands of epochCommands(engine))
    engine.apply({ sequence: engine.appliedSequence + 1, timestampMs: engine.timestampMs, commands });
}

/**
 * What the lane's owner does beside the contributions: commits and reveals of each instance, so that epochs
 * go on.
 */
export function epochCommands(engine: LaneEngine): readonly (readonly Command[])[] {
  return engine.epochTasks(engine.timestampMs).map(({ instance, open, reveal }) => {
    const commands: Command[] = reveal.map(({ epoch, sealed }) => ({
      kind: 'RevealEpoch',
      instance,
      epoch,
      seed: sealed,
    }));
    if (open !== null) commands.push(openEpoch(instance, open.epoch, open.commit));
    return commands;
  });
}

function openEpoch(instance: string, epoch: number, epochs: readonly number[]): Command {
  const id = hashing.sha256(Buffer.from(instance)).slice(0, 16);
  const seeds = epochs.map((each) => {
    const sealed = hashing.sha256(Buffer.from(`${instance} ${each}`));
    return { epoch: each, commit: commitOf(hashing, id, each, sealed), sealed, keyId: 'bench' };
  });
  return { kind: 'OpenEpoch', instance, epoch, seeds, beacon: new Uint8Array(0) };
}

export function idOf(instance: number): string {
  return `instance-${instance}`;
}
