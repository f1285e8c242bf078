import { setTimeout as sleep } from 'node:timers/promises';
import { KeyTurns } from '../../src/lib/key-turns.ts';
import { nameUuid, uuidBytes } from '../../src/lib/uuid.ts';
import { signedHeaders } from '../../src/outbox/send/signature.ts';
import type { FeedFrame } from './service-feed.ts';

interface ForwarderPorts {
  readonly target: URL;
  readonly secret: string;
  readonly write: (text: string) => void;
}

const namespace = uuidBytes('3f0a6f1e-8d53-4b8e-9f0c-2a1f6c8b7d90');
const tryTimeoutMs = 5_000;
/** A program that is being started again. */
const pauseMs = 1_000;
const maxTries = 30;
/** Events that wait; further ones are left out. */
const maxWaiting = 10_000;

/** Forwards events as webhooks, those of an instance one after the other. */
export class Forwarder {
  readonly #ports: ForwarderPorts;
  readonly #turns = new KeyTurns(
    { waiting: maxWaiting, waitMs: Number.POSITIVE_INFINITY },
    () => 0,
    () => new Error('Too many events wait.'),
  );
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(ports: ForwarderPorts) {
    this.#ports = ports;
  }

  take(frame: FeedFrame): void {
    const { id, body } = webhookOf(frame);
    const forwarded = this.#turns
      .run(frame.instance, () => this.#forward(frame, id, body))
      .catch((error: unknown) => this.#show(`  ✗ ${frame.type} [${id}] ${String(error)}`))
      .finally(() => this.#underWay.delete(forwarded));
    this.#underWay.add(forwarded);
  }

  /** What has not begun is dropped. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay);
  }

  async #forward({ type, instance }: FeedFrame, id: string, body: string): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#show(`--> ${type} ${instance} [${id}]`);
    for (let tries = 1; !signal.aborted; tries += 1) {
      const beganMs = performance.now();
      const answer = await this.#post(id, body);
      this.#show(`<-- ${answer.text} in ${Math.round(performance.now() - beganMs)} ms [${id}]`);
      if (answer.isFinal || tries >= maxTries) return;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  async #post(id: string, body: string): Promise<{ readonly text: string; readonly isFinal: boolean }> {
    const { target, secret } = this.#ports;
    const bytes = Buffer.from(body, 'utf8');
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'potstream',
          ...signedHeaders(secret, { id, nowMs: Date.now(), body: bytes }),
        },
        body: bytes,
        redirect: 'manual',
        signal: AbortSignal.timeout(tryTimeoutMs),
      });
      await response.body?.cancel();
      return { text: String(response.status), isFinal: true };
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code;
      return { text: `no answer (${cause ?? (error as Error).name})`, isFinal: false };
    }
  }

  #show(line: string): void {
    this.#ports.write(`${new Date().toISOString()} ${line}\n`);
  }
}

/** The body that a subscription would get; the id is the same whenever the event comes again. */
function webhookOf({ text, seq }: FeedFrame): { readonly id: string; readonly body: string } {
  const event = seq === null ? text.replace(/,"seq":\d+,"timestamp":/, ',"seq":null,"timestamp":') : text;
  const id = nameUuid(namespace, event);
  return { id, body: `{"event_id":"${id}","subscription_id":"listen",${event.slice(1)}` };
}
