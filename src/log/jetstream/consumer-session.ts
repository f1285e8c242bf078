import { createInbox, type Msg, type Subscription } from '@nats-io/nats-core';
import { LogError } from '../../ports.ts';
import { apiSubject, isBatchSubject, isTableSubject } from '../base/names.ts';
import { asking, askServer } from './api.ts';
import type { Requester } from './requester.ts';
import { toLogError } from './server-errors.ts';
import {
  answerHeader,
  headBytes,
  parseDelivery,
  partsIn,
  type StoredMessage,
  tracesIn,
} from './stored-message.ts';

const pullMessages = 256;
/** How long a pull waits, how often it says so, and the silence after which the consumer is gone. */
const alert = { expiresMs: 2_000, beatMs: 500, silenceMs: 2_500 };
/** The consumer of a single server goes with the connection: a quiet one need not be asked so often. */
const calm = { expiresMs: 30_000, beatMs: 5_000, silenceMs: 12_500 };
const silenceCheckMs = 500;
const inactiveThresholdMs = 15_000;
const idleCode = 100;
const nanosPerMs = 1_000_000;

interface ConsumerPosition {
  readonly stream: string;
  readonly filter: string;
  /** Inclusive; null: the last message of every subject, then everything. */
  readonly fromSequence: number | null;
  readonly createWithinMs: number;
  readonly replicas: number;
}

interface SessionEvents {
  message(message: StoredMessage): void;
  /** Nothing has come for a while, though more was asked for: there is nothing that can be delivered. */
  idle?(): void;
  /** The session is over: the consumer is gone, silent, or skipped something. Create another. */
  ended(): void;
}

/** The open sessions of this process: one timer looks after all. */
const open = new Set<() => void>();
let watchdog: NodeJS.Timeout | null = null;

function watch(check: () => void): void {
  open.add(check);
  watchdog ??= setInterval(() => {
    for (const each of [...open]) each();
  }, silenceCheckMs);
}

function unwatch(check: () => void): void {
  open.delete(check);
  if (open.size > 0 || watchdog === null) return;
  clearInterval(watchdog);
  watchdog = null;
}

/**
 * One short-lived pull consumer, read until anything unusual happens. It has a watchdog, because the client
 * does not notice a consumer that vanished with its server.
 */
export class ConsumerSession {
  readonly #requester: Requester;
  readonly #position: ConsumerPosition;
  readonly #events: SessionEvents;
  readonly #name = createInbox('f').slice(2);
  #subscription: Subscription | null = null;
  readonly #checkSilence = (): void => {
    if (!this.#paused && performance.now() - this.#receivedAtMs > this.#pace.silenceMs) this.#end();
  };
  #pace = alert;
  #stopListening: () => void = () => {};
  #receivedAtMs = performance.now();
  #credit = 0;
  #consumerSequence = 0;
  #over = false;
  #paused = false;

  constructor(requester: Requester, position: ConsumerPosition, events: SessionEvents) {
    this.#requester = requester;
    this.#position = position;
    this.#events = events;
  }

  /** Creates the consumer; returns how many messages wait for it. @throws LogError */
  async open(): Promise<number> {
    const { stream, filter, createWithinMs } = this.#position;
    const operation = `CONSUMER.CREATE.${stream}.${this.#name}.${filter}`;
    const answer = await asking(() =>
      askServer<{ num_pending: number }>(
        this.#requester,
        operation,
        { stream_name: stream, config: this.#configuration(), action: 'create' },
        createWithinMs,
      ),
    );
    if (answer.error !== undefined) throw toLogError(answer.error, `Following ${stream}`);
    if (!this.#requester.connection.up) throw new LogError('unavailable', 'The connection is down.');
    const inbox = this.#requester.connection.newInbox();
    this.#subscription = this.#requester.connection.nats.subscribe(inbox, {
      callback: (_error, message) => this.#received(message),
    });
    this.#stopListening = this.#requester.connection.onDown(() => this.#end());
    this.#receivedAtMs = performance.now();
    watch(this.#checkSilence);
    this.#pull();
    return answer.ok.num_pending;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  goOn(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#receivedAtMs = performance.now();
    if (!this.#over) this.#pull();
  }

  close(): void {
    if (this.#over) return;
    this.#release();
    if (this.#requester.connection.up && !this.#requester.connection.nats.isClosed()) {
      // No need to wait: an unused consumer expires.
      this.#requester.connection.nats.publish(
        apiSubject(`CONSUMER.DELETE.${this.#position.stream}.${this.#name}`),
      );
    }
  }

  #configuration(): Record<string, unknown> {
    const { fromSequence, filter } = this.#position;
    return {
      name: this.#name,
      filter_subject: filter,
      ack_policy: 'none',
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: inactiveThresholdMs * nanosPerMs,
      ...(fromSequence === null
        ? { deliver_policy: 'last_per_subject' }
        : { deliver_policy: 'by_start_sequence', opt_start_seq: fromSequence }),
    };
  }

  #received(message: Msg): void {
    if (this.#over) return;
    this.#receivedAtMs = performance.now();
    const delivery = message.reply ? parseDelivery(message.reply) : null;
    if (delivery === null) {
      this.#status(message);
      return;
    }
    this.#consumerSequence += 1;
    if (delivery.consumerSequence !== this.#consumerSequence) {
      this.#end();
      return;
    }
    this.#credit -= 1;
    this.#events.message({
      subject: message.subject,
      sequence: delivery.sequence,
      timestampMs: delivery.timestampMs,
      bytes: message.data,
      removes: isTable(message) && removes(message),
      // Reading headers parses them: hardly any message has a head's length.
      parts: message.data.length === headBytes ? partsIn(message.data, message.headers) : null,
      // Reading headers parses them, and most messages are batches.
      relayed: !isBatchSubject(message.subject) && (message.headers?.has(answerHeader) ?? false),
      traces: tracesIn(message),
    });
    if (this.#credit <= pullMessages / 2) this.#pull();
  }

  #status(message: Msg): void {
    const code = message.headers?.code ?? 0;
    if (code === idleCode) {
      this.#events.idle?.();
      return;
    }
    if (code !== 408 && code !== 404) {
      this.#end();
      return;
    }
    const unfulfilled = Number(message.headers?.get('Nats-Pending-Messages') || Number.NaN);
    this.#credit = Number.isNaN(unfulfilled) ? 0 : Math.max(0, this.#credit - unfulfilled);
    if (this.#position.replicas === 1) this.#pace = calm;
    if (this.#credit <= pullMessages / 2) this.#pull();
  }

  #pull(): void {
    if (this.#paused || this.#over) return;
    const batch = pullMessages - this.#credit;
    this.#credit = pullMessages;
    const request = {
      batch,
      expires: this.#pace.expiresMs * nanosPerMs,
      idle_heartbeat: this.#pace.beatMs * nanosPerMs,
    };
    this.#requester.connection.nats.publish(
      apiSubject(`CONSUMER.MSG.NEXT.${this.#position.stream}.${this.#name}`),
      JSON.stringify(request),
      { reply: this.#subscription!.getSubject() },
    );
  }

  #end(): void {
    if (this.#over) return;
    this.close();
    this.#events.ended();
  }

  #release(): void {
    this.#over = true;
    this.#stopListening();
    unwatch(this.#checkSilence);
    this.#subscription?.unsubscribe();
  }
}

function isTable(message: Msg): boolean {
  return isTableSubject(message.subject);
}

function removes(message: Msg): boolean {
  return message.headers?.has('KV-Operation') ?? false;
}

const minMs = 1_500;
const maxMs = 6_000;

/**
 * How long the creation of a consumer may take. A cluster may place it on a server that is cut off, and then
 * no answer comes: another try soon gets another place. Where servers are slow, each try in a row may take
 * twice as long.
 */
export class CreationPatience {
  limitMs = minMs;

  async within<T>(create: () => Promise<T>): Promise<T> {
    try {
      const created = await create();
      this.limitMs = minMs;
      return created;
    } catch (error) {
      this.limitMs = Math.min(maxMs, 2 * this.limitMs);
      throw error;
    }
  }
}
