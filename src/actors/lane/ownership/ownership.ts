import { pause } from '../../../lib/pauses.ts';
import type { ActorPorts, ActorSettings } from '../../ports/actor-ports.ts';
import { throughOutages } from '../../ports/outages.ts';
import type { AppliedMessage, Replica } from '../../replica/replica.ts';
import type { CommandWriter } from './command-writer.ts';

const reclaimDelayMs = 20;

/** `owning` once its claim was read back, `following` again once another host's claim was. */
export type OwnershipState = 'following' | 'owning';

/** What an applied message did to the ownership of the lane, and the claim in it. */
export interface OwnershipChange {
  readonly kind: 'none' | 'gained' | 'lost';
  readonly claim: { readonly host: string; readonly term: number } | null;
}

export const noChange: OwnershipChange = { kind: 'none', claim: null };

/**
 * Who emits for the lane. A claim is a command in the lane's log, appended under the expected last sequence
 * of its subject; it counts from the moment it is read back, when everything before it is applied.
 */
export class Ownership {
  readonly #replica: Replica;
  readonly #ports: ActorPorts;
  readonly #writer: CommandWriter;
  readonly #settings: Pick<ActorSettings, 'host' | 'engine'>;
  #state: OwnershipState = 'following';
  #claiming = false;
  #stopped = false;
  #term = 0;

  constructor(
    replica: Replica,
    ports: ActorPorts,
    writer: CommandWriter,
    settings: Pick<ActorSettings, 'host' | 'engine'>,
  ) {
    this.#replica = replica;
    this.#ports = ports;
    this.#writer = writer;
    this.#settings = settings;
  }

  get state(): OwnershipState {
    return this.#state;
  }

  /** Term of our own claim; 0 before there is one. */
  get term(): number {
    return this.#term;
  }

  get claiming(): boolean {
    return this.#claiming;
  }

  /** Writes claims until one is stored. Call when the lane is caught up and no other host may own it. */
  async claim(): Promise<void> {
    await this.#claimWhile(
      () => true,
      () => true,
    );
  }

  /** Writes a claim unless another one comes first, or it is not wanted any more. */
  async claimOnce(isWanted: () => boolean): Promise<void> {
    let tries = 0;
    await this.#claimWhile(() => ++tries === 1, isWanted);
  }

  observe(applied: AppliedMessage): OwnershipChange {
    const [command] = applied.batch.commands;
    if (command?.kind !== 'Own' || applied.outcome.outcomes[0]?.kind !== 'Done') return noChange;
    const claim = { host: command.host, term: command.term };
    const isOurs = command.host === this.#settings.host;
    if (isOurs) this.#term = command.term;
    if (isOurs === (this.#state === 'owning')) return { kind: 'none', claim };
    this.#state = isOurs ? 'owning' : 'following';
    return { kind: isOurs ? 'gained' : 'lost', claim };
  }

  stop(): void {
    this.#stopped = true;
  }

  async #claimWhile(mayTry: () => boolean, isWanted: () => boolean): Promise<void> {
    if (this.#claiming || this.#state !== 'following') return;
    this.#claiming = true;
    try {
      while (
        !this.#stopped &&
        this.#state === 'following' &&
        mayTry() &&
        !(await this.#tryToClaim(isWanted))
      ) {
        await pause(this.#ports.clock, reclaimDelayMs);
      }
    } finally {
      this.#claiming = false;
    }
  }

  /** False where the log had a claim that was not applied here yet, or another one came first. */
  async #tryToClaim(isWanted: () => boolean): Promise<boolean> {
    const { lane, engine } = this.#replica;
    const { clock, log } = this.#ports;
    const lastClaim = await throughOutages(
      clock,
      () => this.#stopped || !isWanted(),
      () => log.lastOwn(lane),
    );
    if (lastClaim === null) return true;
    if (lastClaim > engine.appliedSequence) return false;
    const term = engine.ownerTerm + 1;
    const { engine: settings, host } = this.#settings;
    const identity = `own:${lane}:${term}:${host}`;
    const claim = { kind: 'Own', term, host, settings } as const;
    const result = await this.#writer.append('own', identity, [claim], {
      expectedLastOnSubject: lastClaim,
      isWanted,
    });
    return result === null || result.kind === 'stored';
  }
}
