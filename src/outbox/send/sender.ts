import { type Span, type TraceParent, traceparentOf, tracer } from '../../lib/tracing.ts';
import { parseEndpoint } from '../../network/endpoint.ts';
import {
  type AddressCheck,
  AddressNotAllowed,
  NameNotResolved,
  NoAnswer,
} from '../../outbound/checked-addresses.ts';
import { definiteRefusal } from '../../outbound/refusal.ts';
import type { Clock } from '../../ports.ts';
import { deliveryBody } from '../delivery/body.ts';
import { type Delivery, type Receiver, receiverOf } from '../delivery/delivery.ts';
import { Stopped } from '../store/persistently.ts';
import { Dispatcher, type WaitingTry } from './dispatcher.ts';
import { Endpoints } from './endpoints.ts';
import { signedHeaders } from './signature.ts';

/** Why a try failed. `status_<n>`: the receiver's answer. */
export type TryError =
  | 'no_answer'
  | 'name_not_resolved'
  | 'address_not_allowed'
  | 'origin_not_registered'
  | 'endpoint_not_allowed'
  | 'receiver_down'
  | `status_${number}`;

export type TryResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** `final`: repeating cannot help. `refused`: the receiver refuses it in the shape of an error. */
  | {
      readonly kind: 'failed';
      readonly error: TryError;
      readonly final: boolean;
      readonly status: number | null;
      readonly refused: boolean;
    }
  /** Too many wait for this receiver. Nothing was sent, and it is no try. */
  | { readonly kind: 'busy' }
  /** There is nothing to deliver any more. */
  | { readonly kind: 'gone' };

interface SenderPorts {
  readonly clock: Clock;
  readonly addresses: AddressCheck;
  /** The secret of an operator or brand; null: none is registered. */
  readonly secretFor: (owner: string) => string | null;
  /** Whether the operator has the origin registered now. */
  readonly isRegistered: (operator: string, origin: string) => boolean;
  readonly observe: (kind: Delivery['content']['kind'], result: TryResult, tookMs: number) => void;
  readonly tried?: (delivery: Delivery, result: TryResult, tookMs: number) => void;
}

interface Tried {
  readonly result: TryResult;
  readonly answered: boolean;
}

/** What sends deliveries. */
export type DeliverySender = Pick<Sender, 'first' | 'repeat'>;

/** Sends deliveries, each try in its turn. A try that has not begun when it stops rejects with Stopped. */
export class Sender {
  readonly #ports: SenderPorts;
  readonly #endpoints: Endpoints;
  readonly #dispatcher: Dispatcher;

  constructor(ports: SenderPorts) {
    this.#ports = ports;
    this.#endpoints = new Endpoints(ports.addresses, ports.clock);
    this.#dispatcher = new Dispatcher(ports.clock);
  }

  get inFlight(): number {
    return this.#dispatcher.inFlight;
  }

  /** The first try of a delivery that is not stored. */
  first(delivery: Delivery, trace?: TraceParent): Promise<TryResult> {
    return this.#inTurn(
      async () => delivery,
      (waiting) => this.#dispatcher.offerFirst(receiverOf(delivery), waiting),
      trace,
    );
  }

  /** A try of a stored delivery, read only when it has its turn; `load` gives null if it is gone. */
  repeat(receiver: Receiver, load: () => Promise<Delivery | null>): Promise<TryResult> {
    return this.#inTurn(load, (waiting) => {
      this.#dispatcher.offerRepeat(receiver, waiting);
      return true;
    });
  }

  #inTurn(
    load: () => Promise<Delivery | null>,
    offer: (waiting: WaitingTry) => boolean,
    trace?: TraceParent,
  ): Promise<TryResult> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<boolean> => {
        const delivery = await load();
        const tried = delivery === null ? gone : await this.#try(delivery, trace);
        resolve(tried.result);
        return tried.answered;
      };
      const accepted = offer({
        // A bug in a try reaches the caller. The receiver has nothing to do with it.
        run: () =>
          run().catch((error: unknown) => {
            reject(error);
            return true;
          }),
        receiverIsDown: () => resolve(failed('receiver_down')),
        dropped: () => reject(senderStopped()),
      });
      if (!accepted) resolve({ kind: 'busy' });
    });
  }

  /** Cuts what is under way. */
  async stop(): Promise<void> {
    this.#dispatcher.stop();
    await this.#endpoints.close();
  }

  async #try(delivery: Delivery, trace?: TraceParent): Promise<Tried> {
    if (this.#dispatcher.isStopped) throw senderStopped();
    const begunMs = performance.now();
    const span = trySpan(trace);
    const obstacle = this.#obstacle(delivery);
    const tried =
      obstacle === null
        ? await this.#send(delivery, span)
        : { result: failed(obstacle, { final: true }), answered: true };
    const tookMs = performance.now() - begunMs;
    this.#ports.observe(delivery.content.kind, tried.result, tookMs);
    this.#ports.tried?.(delivery, tried.result, tookMs);
    span?.end(...endOf(tried.result));
    return tried;
  }

  /** An origin may have been removed since the contribution was accepted. */
  #obstacle(delivery: Delivery): TryError | null {
    const endpoint = parseEndpoint(delivery.url, this.#ports.addresses.development);
    if (endpoint === null) return 'endpoint_not_allowed';
    if (delivery.content.kind === 'DiversionFlush') return null;
    const { operator } = receiverOf(delivery);
    return this.#ports.isRegistered(operator, endpoint.origin) ? null : 'origin_not_registered';
  }

  async #send(delivery: Delivery, span: Span | null): Promise<Tried> {
    const { id, owner, url } = delivery;
    const { origin, pathname, search } = new URL(url);
    const body = deliveryBody(delivery);
    const nowMs = this.#ports.clock.nowMs();
    try {
      const { status, text } = await this.#endpoints.of(origin).post({
        path: `${pathname}${search}`,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': 'potstream',
          ...(span === null ? {} : { traceparent: traceparentOf(span) }),
          ...signedHeaders(this.#ports.secretFor(owner), { id, nowMs, body }),
        },
        body,
      });
      if (status >= 200 && status < 300) return { result: { kind: 'delivered', status }, answered: true };
      const refused = text !== null && definiteRefusal(status, text) !== null;
      return { result: failed(`status_${status}`, { status, refused }), answered: true };
    } catch (error) {
      if (
        !(error instanceof NameNotResolved || error instanceof NoAnswer || error instanceof AddressNotAllowed)
      )
        throw error;
      return { result: failed(error.code), answered: false };
    }
  }
}

/** null: the delivery is not traced. */
function trySpan(parent: TraceParent | undefined): Span | null {
  if (tracer === null || parent === undefined) return null;
  return tracer.begin('deliver callback', {
    kind: 'client',
    parent,
    attributes: { 'http.request.method': 'POST' },
  });
}

function endOf(result: TryResult): Parameters<Span['end']> {
  if (result.kind !== 'failed')
    return [result.kind === 'delivered' ? { 'http.response.status_code': result.status } : {}, false];
  return [{ 'error.type': result.error }, true];
}

function failed(
  error: TryError,
  {
    final = false,
    status = null,
    refused = false,
  }: { final?: boolean; status?: number | null; refused?: boolean } = {},
): TryResult {
  return { kind: 'failed', error, final, status, refused };
}

const gone: Tried = { result: { kind: 'gone' }, answered: true };
const senderStopped = () => new Stopped('Nothing is sent any more.');
