import { createHash } from 'node:crypto';
import { seedCommit } from '../actors/epochs/keys/epoch-seeds.ts';
import { createHashing } from '../actors/epochs/keys/hashing.ts';
import { createUpgradedLane, type LaneEngine } from '../jackpot/lane/lane.ts';
import type { Recorder } from '../jackpot/state/lane/recorder.ts';
import type { Command } from '../messages/commands.ts';
import type { LaneEvent } from '../messages/events.ts';
import type { InstanceConfigurationDocument } from '../messages/instance-commands.ts';
import type { CommandOutcome } from '../messages/outcomes.ts';

export const instanceId = 'simulation';
/** Epochs as in production: a day, or 2^20 sequence numbers. */
const settings = { epochMs: 86_400_000, epochSequences: 2 ** 20 };
/** Deadlines and tasks that one message may bring about before something must be wrong. */
const maxSteps = 100_000;

/** Seeds are not secret here: they are kept as they are. */
const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });

export interface LaneListener extends Recorder {
  events(events: readonly LaneEvent[], atMs: number): void;
}

/** The production engine with one instance, on virtual time; does what a lane's owner does besides. */
export class VirtualLane {
  readonly engine: LaneEngine = createUpgradedLane(hashing, settings);
  readonly #seed: string;
  readonly #listener: LaneListener;

  constructor(seed: string, listener: LaneListener) {
    this.#seed = seed;
    this.#listener = listener;
  }

  /** Brings the instance to Active. */
  open(
    configuration: InstanceConfigurationDocument,
    brand: string,
    rates: readonly (readonly [string, string, number | null])[],
    atMs: number,
  ): void {
    const [operator = ''] = brand.split(':');
    const base = configuration.currency;
    const user = 'simulation';
    this.send(
      [
        {
          kind: 'SetBrand',
          brand,
          salt: createHash('sha256').update(`salt ${this.#seed}`).digest(),
          wallet: false,
          provider: '',
          closeRounds: false,
          verificationLimitAtoms: null,
          verificationCurrency: base,
        },
        { kind: 'SetRates', version: 1, brand: '', base, multipliers: rates, updatedMs: atMs },
        {
          kind: 'CreateInstance',
          instance: instanceId,
          group: operator,
          owner: operator,
          templateOwner: operator,
          template: 'simulation',
          name: 'Simulation',
          description: '',
          gameCode: '',
          timestampStartMs: null,
          timestampEndMs: null,
          configuration,
          user,
        },
      ],
      atMs,
    );
    this.send(
      [
        {
          kind: 'SetStatus',
          instance: instanceId,
          status: 'Active',
          reason: '',
          to: '',
          user,
          expectedVersion: null,
        },
      ],
      atMs,
    );
  }

  /** Applies one message, after everything that is due before it. */
  send(commands: readonly Command[], atMs: number): readonly CommandOutcome[] {
    this.#passTime(atMs);
    const outcomes = this.#apply(commands, atMs);
    this.#runOwnerTasks(atMs);
    return outcomes;
  }

  /** Deadlines come by Tick commands, each at its own moment. */
  #passTime(untilMs: number): void {
    for (let step = 0; step < maxSteps; step += 1) {
      const deadline = this.engine.nextDeadline();
      if (deadline === null || deadline.atMs > untilMs) return;
      const atMs = Math.max(deadline.atMs, this.engine.timestampMs);
      this.#apply([{ kind: 'Tick', instance: deadline.instance }], atMs);
      this.#runOwnerTasks(atMs);
    }
    throw new Error('the engine has a deadline that a Tick does not move');
  }

  #runOwnerTasks(atMs: number): void {
    for (let step = 0; step < maxSteps; step += 1) {
      const commands = this.#ownerTasks();
      if (commands.length === 0) return;
      this.#apply(commands, atMs);
    }
    throw new Error('the engine has a task that its command does not end');
  }

  #ownerTasks(): readonly Command[] {
    const epochs = this.engine
      .epochTasks()
      .flatMap(({ instance, open, reveal }): Command[] => [
        ...reveal.map(
          ({ epoch, sealed }) => ({ kind: 'RevealEpoch', instance, epoch, seed: sealed }) as const,
        ),
        ...(open === null ? [] : [this.#openEpoch(instance, open.epoch, open.commit)]),
      ]);
    const work = this.engine.jobs().map(({ job, step }): Command => ({ kind: 'Continue', job, step }));
    return [...epochs, ...work];
  }

  #openEpoch(instance: string, epoch: number, committed: readonly number[]): Command {
    const seeds = committed.map((each) => {
      const sealed = createHash('sha256').update(`${this.#seed} epoch ${each}`).digest();
      const commit = seedCommit(hashing, instance, each, sealed);
      return { epoch: each, commit, sealed, keyId: 'simulation' };
    });
    return { kind: 'OpenEpoch', instance, epoch, seeds, beacon: this.#beacon(instance, epoch) };
  }

  /** Beacons come with the seeds here: a simulation need not keep anyone from choosing them. */
  #beacon(instance: string, epoch: number): Uint8Array {
    const configuration = this.engine.describe(instance)?.configuration as { readonly draw_beacon?: string };
    return configuration?.draw_beacon === 'Required'
      ? createHash('sha256').update(`${this.#seed} beacon ${epoch}`).digest()
      : new Uint8Array(0);
  }

  #apply(commands: readonly Command[], atMs: number): readonly CommandOutcome[] {
    const sequence = this.engine.appliedSequence + 1;
    const outcome = this.engine.apply({ sequence, timestampMs: atMs, commands }, this.#listener);
    if (outcome.events.length > 0) this.#listener.events(outcome.events, outcome.timestampMs);
    return outcome.outcomes;
  }
}
