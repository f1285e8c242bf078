import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Span, type TraceParent, tracer } from '../../../lib/tracing.ts';
import { PublicError } from '../../base/errors.ts';
import type { Reply } from '../../base/reply.ts';
import { requestDurations } from '../../base/request-durations.ts';
import { errorAnswer } from '../answer.ts';
import type { ClientAddresses, Peer } from '../client-address.ts';
import type { Cors } from '../cors.ts';
import { httpLimits } from '../limits.ts';
import { endGently } from '../raw-answer.ts';
import type { RefusalDelays } from '../refusal-delays.ts';
import { endRequestSpan, requestSpan } from '../request-observation.ts';
import { writeError, writeReply } from './answer.ts';
import { NodeExchange } from './exchange.ts';
import type { ExchangeTurns } from './exchange-turns.ts';
import type { FastPathHead } from './head.ts';
import { HeadReader } from './head-reader.ts';
import type { AnswerSink, FastPathRoute } from './route.ts';

export interface FastPathHost {
  readonly routes: readonly FastPathRoute[];
  readonly addresses: ClientAddresses;
  readonly refusalDelays: RefusalDelays;
  readonly cors: Pick<Cors, 'linesFor'>;
  readonly exchangeTurns: ExchangeTurns;
  /** Gives an exchange to Node's HTTP server as if it were a connection. */
  adopt(exchange: NodeExchange): void;
  closed(connection: FastPathConnection): void;
  report(error: unknown, trace?: TraceParent | null): void;
  draining(): boolean;
  /** Whether the connection moves to another gateway: Node's server ends it with the answer. */
  moves(socket: Socket): boolean;
}

const endOfHead = Buffer.from('\r\n\r\n', 'latin1');

/**
 * A connection: answers plain contributions and lookups, and gives each other request to Node's server. One
 * request is under way at a time; the next begins in another turn of the event loop (docs/decisions/0013).
 */
export class FastPathConnection implements AnswerSink {
  readonly #socket: Socket;
  readonly #server: FastPathHost;
  readonly #peer: Peer;
  /** The client's address, by the last head. */
  #address: string;
  #busy = false;
  /** With Node's server; null: nothing but plain requests came yet. */
  #exchange: NodeExchange | null = null;
  /** Whether the exchange has the request under way. */
  #isExchanging = false;
  #isNew = true;
  #guarded = false;
  #durations = requestDurations.other;
  #beganMs = 0;
  #span: Span | null = null;
  /** What the answer says to a page of another origin, in lines. */
  #corsLines = '';
  #ended = false;
  /** Answers wait for the caller to read: nothing more is read until they have left. */
  #blocked = false;
  /** More bytes came with the request under way, or after it. */
  #hasMore = false;
  /** A request of which the rest is on its way: many clients send head and body in a packet each. */
  #begun: Buffer | null = null;
  readonly #heads: HeadReader;
  /** Headers of the request that `#address` was read from. */
  #addressHeaders: IncomingHttpHeaders | null = null;

  constructor(socket: Socket, server: FastPathHost) {
    this.#socket = socket;
    this.#server = server;
    this.#peer = server.addresses.peerOf(socket);
    this.#address = this.#peer.address;
    this.#heads = new HeadReader(server.routes);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('timeout', this.#onTimeout);
    // A client that says nothing at first is Node's to wait for.
    socket.setTimeout(httpLimits.timeoutCheckMs);
  }

  closeIfIdle(): void {
    if (!this.#busy && this.#begun === null) this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  answer(reply: Reply): void {
    endRequestSpan(this.#span, reply.status);
    if (!this.#socket.destroyed) writeReply(this.#socket, reply, this.#guarded, this.#corsLines);
    this.#answered(false);
  }

  fail(error: unknown): void {
    const caller = error instanceof PublicError ? error.limitedCaller : null;
    if (caller === null) this.#refuse(error, false);
    else this.#server.refusalDelays.send(caller, (closes) => this.#refuse(error, closes));
  }

  #refuse(error: unknown, closes: boolean): void {
    const answer = errorAnswer(error, closes ? ['Connection', 'close'] : []);
    if (!answer.known) this.#server.report(error, this.#span);
    endRequestSpan(this.#span, answer.status);
    if (!this.#socket.destroyed) writeError(this.#socket, answer, this.#corsLines);
    this.#answered(closes || answer.closes);
  }

  #answered(closes: boolean): void {
    const socket = this.#socket;
    if (this.#busy) this.#durations.observe((performance.now() - this.#beganMs) / 1000);
    if (socket.destroyed) return;
    if (closes) {
      this.#forget();
      endGently(socket);
    } else if (socket.writableLength > httpLimits.unwrittenBytes) {
      this.#blocked = true;
      socket.pause();
      socket.once('drain', this.#goOn);
    } else {
      this.#goOn();
    }
  }

  readonly #goOn = (): void => {
    const socket = this.#socket;
    if (this.#hasMore) {
      setImmediate(this.#readOn);
      return;
    }
    this.#busy = false;
    if (this.#ended) {
      socket.destroySoon();
      return;
    }
    if (this.#blocked) socket.resume();
    this.#blocked = false;
  };

  readonly #readOn = (): void => {
    this.#busy = false;
    this.#blocked = false;
    this.#socket.resume();
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isExchanging) {
      this.#hasMore = false;
      this.#feed(chunk);
      return;
    }
    if (this.#busy) {
      this.#keep(chunk);
      return;
    }
    const wasKept = this.#hasMore;
    this.#hasMore = false;
    const begun = this.#begun;
    if (begun !== null) this.#read(Buffer.concat([begun, chunk]));
    else if (wasKept && chunk.length < httpLimits.headerBytes && !chunk.includes(endOfHead))
      this.#awaitHead(chunk);
    else this.#read(chunk);
  };

  /** Gives bytes back to the stream: it does not end before they are read. */
  #keep(bytes: Buffer): void {
    this.#hasMore = true;
    this.#socket.pause();
    this.#socket.unshift(bytes);
  }

  #read(chunk: Buffer): void {
    const head = this.#headOf(chunk);
    const bodyStart = this.#heads.length;
    const end = head === null ? 0 : bodyStart + head.bodyBytes;
    const origin = head === null ? null : head.origin;
    this.#corsLines =
      head === null || origin === null
        ? ''
        : this.#server.cors.linesFor(origin, head.route.pathInputs(head.inputs));
    const isWhole = head !== null && chunk.length === end;
    const leaves = this.#server.draining() || (isWhole && this.#server.moves(this.#socket));
    if (head === null || chunk.length < end || leaves) {
      if (head !== null && chunk.length < end && this.#begun === null) this.#await(chunk);
      else this.#exchangeFor(chunk);
      return;
    }
    if (chunk.length > end) this.#keep(chunk.subarray(end));
    if (this.#begun !== null) {
      this.#begun = null;
      this.#wait();
    }
    this.#busy = true;
    this.#guarded = head.route.guarded;
    this.#durations = requestDurations[head.route.kind];
    this.#beganMs = performance.now();
    this.#span = tracer === null ? null : requestSpan(head.route.operation, head.headers.traceparent);
    head.route.begin(
      {
        inputs: head.inputs,
        headers: head.headers,
        address: this.#address,
        bytes: head.bodyBytes === 0 ? null : chunk.subarray(bodyStart, end),
        trace: this.#span,
      },
      this,
    );
  }

  #awaitHead(begun: Buffer): void {
    this.#corsLines = '';
    this.#await(begun);
  }

  #await(begun: Buffer): void {
    this.#begun = begun;
    this.#socket.setTimeout(httpLimits.timeoutCheckMs);
  }

  #headOf(chunk: Buffer): FastPathHead | null {
    const head = this.#heads.read(chunk);
    if (this.#isNew && this.#heads.length > 0) this.#wait();
    if (head !== null && this.#peer.isProxy && head.headers !== this.#addressHeaders) {
      this.#addressHeaders = head.headers;
      this.#address = this.#server.addresses.clientOf(this.#peer, head.headers['x-forwarded-for']);
    }
    return head;
  }

  /** The next request has its time. */
  #wait(): void {
    this.#isNew = false;
    this.#socket.setTimeout(httpLimits.keepAliveTimeoutMs);
  }

  /** Node's server reads and answers the request that begins with these bytes, when its turn has come. */
  #exchangeFor(bytes: Buffer | null): void {
    this.#busy = true;
    this.#begun = null;
    // A stream that has ended takes no bytes back.
    if (this.#ended || this.#server.exchangeTurns.take()) {
      this.#beginExchange(bytes);
      return;
    }
    if (bytes !== null) this.#keep(bytes);
    this.#server.exchangeTurns.wait(this.#beginKept);
  }

  readonly #beginKept = (): void => {
    if (this.#socket.destroyed) return;
    this.#beginExchange(null);
    if (this.#hasMore) this.#socket.resume();
  };

  #beginExchange(bytes: Buffer | null): void {
    this.#isExchanging = true;
    if (this.#exchange === null) {
      const host = {
        more: this.#more,
        over: this.#exchanged,
        released: this.#release,
        replaced: this.#replace,
      };
      this.#exchange = new NodeExchange(this.#socket, host);
      this.#server.adopt(this.#exchange);
    } else {
      this.#exchange.goOn();
    }
    if (bytes !== null) this.#feed(bytes);
  }

  #feed(bytes: Buffer): void {
    const exchange = this.#exchange as NodeExchange;
    const rest = exchange.feed(bytes);
    if (rest !== null) this.#keep(rest);
    exchange.endIfDone();
  }

  readonly #more = (): void => {
    if (this.#isExchanging && this.#hasMore) this.#socket.resume();
  };

  readonly #exchanged = (): void => {
    this.#isExchanging = false;
    this.#wait();
    this.#goOn();
  };

  /** What followed the request waits in the socket, perhaps with its end. */
  readonly #replace = (bytes: Buffer): void => {
    if (this.#socket.destroyed) return;
    this.#exchange = null;
    this.#isExchanging = false;
    this.#busy = false;
    this.#read(bytes);
    if (this.#ended) this.#onEnd();
    else if (!this.#busy && this.#hasMore) this.#socket.resume();
  };

  readonly #release = (): void => {
    const socket = this.#socket;
    this.#forget();
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.pause();
    socket.setTimeout(0);
    this.#server.closed(this);
  };

  #forget(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('timeout', this.#onTimeout);
  }

  readonly #onEnd = (): void => {
    this.#ended = true;
    if (this.#isExchanging) this.#exchange?.feedEnd();
    if (this.#busy) return;
    // An ended stream takes no bytes back, so Node cannot be asked. Empty lines mean nothing.
    const begun = this.#begun?.toString('latin1') ?? '';
    if (/[^\r\n]/.test(begun)) this.fail(new PublicError('malformed_http'));
    else this.#socket.destroySoon();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#exchange?.destroy();
    this.#server.closed(this);
  };

  readonly #onTimeout = (): void => {
    if (this.#isExchanging) this.#exchange?.emit('timeout');
    // Nothing was read of the answers for that long.
    if (this.#blocked) this.#socket.destroy();
    if (this.#busy) return;
    if (this.#isNew || this.#begun !== null) this.#exchangeFor(this.#begun);
    else this.#socket.destroySoon();
  };
}
