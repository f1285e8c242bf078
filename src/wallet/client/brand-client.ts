import type { WalletSettings } from '../../access/keys/brand-wallets.ts';
import { type Span, type TraceParent, traceparentOf, tracer } from '../../lib/tracing.ts';
import {
  type AddressCheck,
  AddressNotAllowed,
  NameNotResolved,
  NoAnswer,
} from '../../outbound/checked-addresses.ts';
import { EndpointClient } from '../../outbound/endpoint-client.ts';
import type { Clock } from '../../ports.ts';
import { judge, unknown, type WalletAnswer } from './answer.ts';
import { walletLimits } from './limits.ts';
import { type Caller, type MoneyPurpose, Policies, service } from './policies.ts';
import { serverAuthorization } from './signature.ts';

/** The name of an operation of a wallet. */
export type WalletCallName = 'W1' | 'W2' | 'W3' | 'W4' | 'W5';

/** One call of W1–W5: its path below the base URL, and the body that every try sends byte for byte. */
export interface WalletCall {
  readonly name: WalletCallName;
  readonly path: string;
  readonly body: Uint8Array;
  /** Whether the body of a 2xx is an answer of the operation; absent: any JSON is, and so is none. */
  readonly isAnswer?: (body: unknown) => boolean;
  /** The answer may be longer than other answers. */
  readonly answerBytes?: number;
  /** What the call is for, where that is sampled. */
  readonly trace?: TraceParent | undefined;
  /** Which transactions it is about. */
  readonly of?: CallSubject;
}

/** A transaction by itself, or a batch of some. */
interface CallSubject {
  readonly transactionId: string | null;
  readonly batchId: string | null;
  readonly records: number;
}

/** One try of a call that moves money, once it is over. */
export interface MoneyTry {
  readonly brand: string;
  readonly call: WalletCall;
  readonly answer: WalletAnswer;
  /** The status of HTTP; null: there was no answer. */
  readonly status: number | null;
  readonly tookMs: number;
}

/** Told of every call once it is over, tries included. */
export type CallObserver = (name: WalletCall['name'], answer: WalletAnswer, tookMs: number) => void;

export interface BrandClientPorts {
  readonly clock: Clock;
  readonly addresses: AddressCheck;
  readonly observe: CallObserver;
  /** Not of calls that were not sent. */
  readonly tried?: (tried: MoneyTry) => void;
  /** The wallet is at an address that we do not call: an operator has to change that. */
  readonly alarm: (message: string, error: AddressNotAllowed) => void;
}

/** A brand's wallet over HTTP: connections, tries, breakers and places of its own. */
export class BrandClient {
  readonly settings: WalletSettings;
  readonly #ports: BrandClientPorts;
  readonly #endpoint: EndpointClient;
  readonly #basePath: string;
  readonly #policies: Policies;
  readonly #outage = new Outage();
  readonly #whenOver: (() => void)[] = [];
  #alarmedMs = Number.NEGATIVE_INFINITY;

  constructor(settings: WalletSettings, ports: BrandClientPorts) {
    this.settings = settings;
    this.#ports = ports;
    const { origin, pathname } = new URL(settings.baseUrl);
    this.#basePath = pathname === '/' ? '' : pathname.replace(/\/$/, '');
    this.#endpoint = new EndpointClient(
      origin,
      {
        connections: walletLimits.connections,
        restMs: walletLimits.restMs,
        exchangeTimeoutMs: walletLimits.tryTimeoutMs,
        idleMs: walletLimits.keepAliveMs,
        connectionLifeMs: walletLimits.connectionLifeMs,
        answerBytes: walletLimits.answerBytes,
      },
      ports.addresses,
    );
    this.#policies = new Policies(ports.clock);
  }

  /** Up to three tries while the answer is unknown: all of W1–W5 have an identity and may be repeated. */
  call(call: WalletCall, caller: Caller = service): Promise<WalletAnswer> {
    return this.#observed(call, (span) => this.#policies.run(caller, () => this.#once(call, span)));
  }

  /** One try of a call that moves money. The caller decides whether and when it is repeated. */
  attempt(call: WalletCall, purpose: MoneyPurpose, timeoutMs?: number): Promise<WalletAnswer> {
    const once = (span: Span | null) => () => this.#reported(call, span, timeoutMs);
    return this.#observed(call, (span) => this.#policies.attempt(purpose, once(span)));
  }

  async #reported(call: WalletCall, span: Span | null, timeoutMs?: number): Promise<WalletAnswer> {
    const begunMs = performance.now();
    const seen: SeenStatus = { status: null };
    const answer = await this.#once(call, span, timeoutMs, seen);
    const { brand } = this.settings;
    this.#ports.tried?.({ brand, call, answer, status: seen.status, tookMs: performance.now() - begunMs });
    return answer;
  }

  async #observed(
    call: WalletCall,
    run: (span: Span | null) => Promise<WalletAnswer>,
  ): Promise<WalletAnswer> {
    const begunMs = performance.now();
    const span = callSpan(call);
    const answer = await run(span);
    span?.end(...endOf(answer));
    this.#ports.observe(call.name, answer, performance.now() - begunMs);
    this.#hear(answer);
    return answer;
  }

  /** False while the breaker would let no call of this purpose through. */
  mayAttempt(purpose: MoneyPurpose): boolean {
    return this.#policies.mayAttempt(purpose);
  }

  /** Calls `recovered` whenever the wallet answers this purpose again, or any call after an outage. */
  onRecovery(purpose: MoneyPurpose, recovered: () => void): void {
    this.#policies.onRecovery(purpose, recovered);
    this.#whenOver.push(recovered);
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  async #once(
    { path, body, answerBytes, isAnswer }: WalletCall,
    span: Span | null,
    timeoutMs: number = walletLimits.tryTimeoutMs,
    seen?: SeenStatus,
  ): Promise<WalletAnswer> {
    const { bearerKey, hmacSecret } = this.settings;
    try {
      const { status, text } = await this.#endpoint.post({
        path: `${this.#basePath}${path}`,
        headers: {
          authorization: `Bearer ${bearerKey}`,
          'x-server-authorization': serverAuthorization(hmacSecret, body),
          'content-type': 'application/json',
          accept: 'application/json',
          ...(span === null ? {} : { traceparent: traceparentOf(span) }),
        },
        body,
        timeoutMs,
        ...(answerBytes === undefined ? {} : { answerBytes }),
      });
      if (seen !== undefined) seen.status = status;
      return text === null ? unknown('oversize') : judge(status, text, isAnswer);
    } catch (error) {
      if (error instanceof NameNotResolved || error instanceof NoAnswer) return unknown(error.code);
      if (!(error instanceof AddressNotAllowed)) throw error;
      this.#alarmOf(error);
      return unknown(error.code);
    }
  }

  /** A cancellation waits for no other cancellation: in a wallet that works again there may be none. */
  #hear(answer: WalletAnswer): void {
    if (!this.#outage.ends(answer, performance.now())) return;
    this.#ports.clock.after(walletLimits.wakeAfterMs, () => {
      for (const recovered of this.#whenOver) recovered();
    });
  }

  #alarmOf(error: AddressNotAllowed): void {
    const nowMs = performance.now();
    if (nowMs - this.#alarmedMs < walletLimits.alarmIntervalMs) return;
    this.#alarmedMs = nowMs;
    this.#ports.alarm(`The wallet of ${this.settings.brand} has an address that is not allowed.`, error);
  }
}

/** What a try leaves behind beside its answer. */
interface SeenStatus {
  status: number | null;
}

/** null: the call is not traced. */
function callSpan({ name, trace }: WalletCall): Span | null {
  if (tracer === null || trace === undefined) return null;
  return tracer.begin(`wallet ${name}`, {
    kind: 'client',
    parent: trace,
    attributes: { 'http.request.method': 'POST', 'potstream.operation': name },
  });
}

function endOf(answer: WalletAnswer): Parameters<Span['end']> {
  if (answer.kind === 'unknown') return [{ 'error.type': answer.reason }, true];
  return [answer.kind === 'refused' ? { 'error.type': 'refused' } : {}, false];
}

/** Sees from all answers of a brand's wallet that it answers again after it did not for a while. */
export class Outage {
  #silentSinceMs: number | null = null;

  /** True for the answer that ends an outage. */
  ends(answer: WalletAnswer, nowMs: number): boolean {
    if (answer.kind === 'unknown') {
      this.#silentSinceMs ??= nowMs;
      return false;
    }
    const sinceMs = this.#silentSinceMs;
    this.#silentSinceMs = null;
    return sinceMs !== null && nowMs - sinceMs >= walletLimits.minOutageMs;
  }
}
