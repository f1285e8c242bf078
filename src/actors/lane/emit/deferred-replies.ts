import type { BatchReply } from '../../../messages/bus-messages.ts';
import type { Clock } from '../../../ports.ts';
import type { AppliedMessage } from '../../replica/replica.ts';

/** The first epoch is committed within milliseconds; after this time the reply is sent without it. */
const maxDeferralMs = 3000;
const maxDeferred = 1000;

type Deferred = {
  readonly gateway: string;
  readonly reply: BatchReply;
  readonly instances: Set<string>;
  readonly cancel: () => void;
};

/**
 * Replies to the creation of an instance wait until the commits of epoch 0 are applied: only then may the
 * instance become Active (docs/rules/draws.md "Seeds"), which a caller may ask for at once.
 */
export class DeferredReplies {
  readonly #clock: Clock;
  readonly #send: (gateway: string, reply: BatchReply) => void;
  readonly #deferred = new Set<Deferred>();

  constructor(clock: Clock, send: (gateway: string, reply: BatchReply) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Sends the reply now, or once the instances that its batch created have their first epoch. */
  sendWhenReady(applied: AppliedMessage, reply: BatchReply): void {
    const { gateway } = applied.batch;
    const instances = createdInstances(applied);
    if (instances.size === 0 || this.#deferred.size >= maxDeferred) {
      this.#send(gateway, reply);
      return;
    }
    const deferred: Deferred = {
      gateway,
      reply,
      instances,
      cancel: this.#clock.after(maxDeferralMs, () => this.#release(deferred)),
    };
    this.#deferred.add(deferred);
  }

  observe(applied: AppliedMessage): void {
    if (this.#deferred.size === 0) return;
    for (const command of applied.batch.commands) {
      if (command.kind !== 'OpenEpoch' || command.epoch !== 0 || command.seeds.length === 0) continue;
      for (const deferred of this.#deferred) {
        if (deferred.instances.delete(command.instance) && deferred.instances.size === 0)
          this.#release(deferred);
      }
    }
  }

  releaseAll(): void {
    for (const deferred of this.#deferred) this.#release(deferred);
  }

  #release(deferred: Deferred): void {
    deferred.cancel();
    this.#deferred.delete(deferred);
    this.#send(deferred.gateway, deferred.reply);
  }
}

function createdInstances(applied: AppliedMessage): Set<string> {
  const created = new Set<string>();
  applied.batch.commands.forEach((command, index) => {
    if (command.kind === 'CreateInstance' && applied.outcome.outcomes[index]?.kind === 'Done') {
      created.add(command.instance);
    }
  });
  return created;
}
