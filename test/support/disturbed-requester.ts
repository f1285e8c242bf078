import type { Msg, MsgHdrs } from '@nats-io/nats-core';
import { Requester } from '../../src/log/jetstream/requester.ts';

/** Something that happens once on the way of a request, or of its answer. */
export interface Disturbance {
  readonly to: RegExp;
  /** The request arrives late. */
  before?(payload: string): Promise<void>;
  /** The answer is read late. */
  after?(payload: string): Promise<void>;
}

/** Asks the real server, over a network that a test disturbs. */
export class DisturbedRequester extends Requester {
  readonly #next: Disturbance[] = [];

  disturb(disturbance: Disturbance): void {
    this.#next.push(disturbance);
  }

  override async send(
    subject: string,
    payload: Uint8Array | string,
    timeoutMs: number,
    headers?: MsgHdrs,
  ): Promise<Msg> {
    const text = String(payload);
    const at = this.#next.findIndex(({ to }) => to.test(`${subject} ${text}`));
    const [disturbance] = at < 0 ? [] : this.#next.splice(at, 1);
    await disturbance?.before?.(text);
    const answer = await super.send(subject, payload, timeoutMs, headers);
    await disturbance?.after?.(text);
    return answer;
  }
}
