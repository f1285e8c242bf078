import type { Socket } from 'node:net';
import { PublicError } from '../../errors.ts';
import type { Reply } from '../../operation.ts';
import { errorAnswer } from '../answer.ts';
import type { ClientAddresses, Peer } from '../client-address.ts';
import { httpLimits } from '../limits.ts';
import { endGently } from '../raw-answer.ts';
import { writeError, writeReply } from './answer.ts';
import { readHead, type WireHead } from './head.ts';
import type { AnswerSink, WireRoute } from './route.ts';

/** What a connection needs of the server. */
export interface WireHome {
  readonly routes: readonly WireRoute[];
  readonly addresses: ClientAddresses;
  /** Gives the socket to Node's HTTP server, with bytes that were read already. */
  handOver(socket: Socket, bytes: Buffer | null): void;
  closed(connection: WireConnection): void;
  /** A bug of ours that a request met. */
  report(error: unknown): void;
  draining(): boolean;
}

const endOfHead = Buffer.from('\r\n\r\n', 'latin1');

/**
 * A connection whose requests are contributions and lookups, each in one piece or two. One request is under way at a time. The first
 * request that is anything else takes the connection to Node's server, for the rest of its life.
 */
export class WireConnection implements AnswerSink {
  readonly #socket: Socket;
  readonly #home: WireHome;
  readonly #peer: Peer;
  /** Whose the last head is. */
  #address: string;
  #busy = false;
  /** Of the request under way. */
  #guarded = false;
  /** The other side has sent its last byte. */
  #ended = false;
  /** Answers wait for the caller to read: nothing more is read until they have left. */
  #blocked = false;
  /** What came while a request was under way. */
  #pending: Buffer | null = null;
  /** A head whose body is still on its way: many clients send the two in a packet each. */
  #begun: Buffer | null = null;
  /** The last head and its bytes: a client's heads are mostly the same. */
  #head: WireHead | null = null;
  #headBytes: Buffer = endOfHead;

  constructor(socket: Socket, home: WireHome) {
    this.#socket = socket;
    this.#home = home;
    this.#peer = home.addresses.peerOf(socket);
    this.#address = this.#peer.address;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('timeout', this.#onTimeout);
    // Whoever says nothing at first is Node's to wait for.
    socket.setTimeout(httpLimits.timeoutCheckMs);
  }

  closeIfIdle(): void {
    if (!this.#busy && this.#begun === null) this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  answer(reply: Reply): void {
    if (!this.#socket.destroyed) writeReply(this.#socket, reply, this.#guarded);
    this.#answered(false);
  }

  fail(error: unknown): void {
    const answer = errorAnswer(error);
    if (!answer.known) this.#home.report(error);
    if (!this.#socket.destroyed) writeError(this.#socket, answer);
    this.#answered(answer.closes);
  }

  #answered(closes: boolean): void {
    const socket = this.#socket;
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
    const pending = this.#pending;
    this.#busy = false;
    this.#pending = null;
    if (this.#ended && pending === null) {
      socket.destroySoon();
      return;
    }
    if (pending !== null || this.#blocked) socket.resume();
    this.#blocked = false;
    if (pending !== null) this.#read(pending);
  };

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#busy) {
      const begun = this.#begun;
      if (begun === null) this.#read(chunk);
      else this.#read(Buffer.concat([begun, chunk]));
      return;
    }
    this.#pending = this.#pending === null ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#socket.pause();
  };

  #read(chunk: Buffer): void {
    const head = this.#headOf(chunk);
    const bodyStart = this.#headBytes.length;
    if (head === null || chunk.length !== bodyStart + head.bodyBytes || this.#home.draining()) {
      if (head !== null && chunk.length < bodyStart + head.bodyBytes && this.#begun === null) {
        this.#begun = chunk;
        this.#socket.setTimeout(httpLimits.timeoutCheckMs);
      } else {
        this.#leave(chunk);
      }
      return;
    }
    if (this.#begun !== null) {
      this.#begun = null;
      this.#socket.setTimeout(httpLimits.keepAliveTimeoutMs);
    }
    this.#busy = true;
    this.#guarded = head.route.guarded;
    head.route.begin(
      {
        inputs: head.inputs,
        headers: head.headers,
        address: this.#address,
        bytes: head.bodyBytes === 0 ? null : chunk.subarray(bodyStart),
      },
      this,
    );
  }

  #headOf(chunk: Buffer): WireHead | null {
    const known = this.#headBytes;
    const { length } = known;
    if (this.#head !== null && chunk.length >= length && chunk.compare(known, 0, length, 0, length) === 0) {
      return this.#head;
    }
    const end = chunk.indexOf(endOfHead);
    if (end < 0 || end > httpLimits.headerBytes) return null;
    if (this.#head === null) this.#socket.setTimeout(httpLimits.keepAliveTimeoutMs);
    this.#headBytes = Buffer.from(chunk.subarray(0, end + endOfHead.length));
    const head = readHead(chunk.toString('latin1', 0, end), this.#home.routes);
    this.#head = head;
    if (this.#peer.isProxy && head !== null)
      this.#address = this.#home.addresses.clientOf(this.#peer, head.headers['x-forwarded-for']);
    return head;
  }

  #leave(bytes: Buffer | null): void {
    const socket = this.#socket;
    this.#forget();
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.setTimeout(0);
    this.#home.closed(this);
    this.#home.handOver(socket, bytes);
  }

  /** Takes nothing more of the connection. */
  #forget(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('timeout', this.#onTimeout);
  }

  readonly #onEnd = (): void => {
    this.#ended = true;
    if (this.#busy) return;
    // A stream that has ended takes no bytes back, so that Node cannot be asked.
    if (this.#begun !== null) this.fail(new PublicError('malformed_http'));
    else this.#socket.destroySoon();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#home.closed(this);
  };

  readonly #onTimeout = (): void => {
    // Nothing was read of the answers for that long.
    if (this.#blocked) this.#socket.destroy();
    if (this.#busy) return;
    if (this.#head === null || this.#begun !== null) this.#leave(this.#begun);
    else this.#socket.destroySoon();
  };
}
