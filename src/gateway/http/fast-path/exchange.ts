import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { PublicError } from '../../base/errors.ts';
import { errorOfParser } from '../library-errors.ts';
import { httpLimits } from '../limits.ts';
import { endGently, sendRawError } from '../raw-answer.ts';
import { bodyLost, callerEnded, isOpenEnded, refuseBody } from '../read-body.ts';

interface ExchangeHost {
  /** What follows in the connection may be fed. */
  more(): void;
  /** The request is whole and its answer has left: the connection goes on. */
  over(): void;
  /** The connection becomes something else. */
  released(): void;
  /** Node's server let go of this stream without an answer: these bytes come in place of the request. */
  replaced(bytes: Buffer): void;
}

/** An empty line: it ends heads and chunked bodies. */
const emptyLine = Buffer.from('\r\n\r\n', 'latin1');
const nothing = Buffer.alloc(0);

/**
 * Gives requests that are not plain, one at a time, to Node's HTTP server, which takes this stream for a
 * connection. Node's parser alone says where a request ends, and gets no piece that could reach beyond it
 * (docs/decisions/0013).
 */
export class NodeExchange extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly socket: Socket;
  readonly #host: ExchangeHost;
  #response: ServerResponse | null = null;
  #isAnswered = false;
  /** What is done once the answer has left. Set: nothing more is taken. */
  #ending: (() => void) | null = null;
  /** The connection is not this stream's now. */
  #isIdle = false;
  #emptyLines = 0;
  /** The parser may have read more than the request: the connection ends with the answer. */
  #isLast = false;
  #bodyLeft = 0;
  #tail: Buffer = nothing;

  constructor(socket: Socket, host: ExchangeHost) {
    // With 0, Node asks for more only once its parser has taken everything.
    super({ decodeStrings: false, readableHighWaterMark: 0 });
    this.socket = socket;
    this.#host = host;
    this.remoteAddress = socket.remoteAddress;
  }

  /** The connection's next bytes. @returns those that it does not take, or not yet; null: it has taken all */
  feed(bytes: Buffer): Buffer | null {
    let rest = bytes;
    while (rest.length > 0 && this.#takesMore) {
      const end = this.#pieceEnd(rest);
      const piece = rest.subarray(0, end);
      rest = rest.subarray(end);
      this.#tail = piece.length < 3 ? Buffer.concat([this.#tail, piece]).subarray(-3) : piece.subarray(-3);
      if (this.#bodyLeft > 0) this.#bodyLeft -= end;
      this.push(piece);
    }
    return rest.length === 0 ? null : rest;
  }

  /** Gives the connection back if the request is whole and its answer has left. */
  endIfDone(): void {
    if (this.#isIdle || !this.#isAnswered || !this.#isWhole || this.#ending !== null || !this.writable)
      return;
    if (this.#isLast) {
      this.#ending = () => {};
      endGently(this);
      return;
    }
    this.#isIdle = true;
    this.#response = null;
    this.#isAnswered = false;
    this.#emptyLines = 0;
    this.#tail = nothing;
    this.#host.over();
  }

  /** Another request comes, and its bytes with `feed`. */
  goOn(): void {
    this.#isIdle = false;
  }

  feedEnd(): void {
    if (this.#isIdle) return;
    if (this.#isWhole) this.#response?.req.emit(callerEnded);
    else this.push(null);
  }

  /** Node's parser has read the head. */
  begin(response: ServerResponse, serve: (request: IncomingMessage, response: ServerResponse) => void): void {
    if (this.#ending !== null) return;
    if (this.#response !== null) {
      // Two requests in what could only be one: another parser may see other ones.
      if (!this.#isLast) this.#end(new PublicError('malformed_http'));
      return;
    }
    const request = response.req;
    this.#response = response;
    this.#bodyLeft = Number(request.headers['content-length'] ?? 0);
    response.once('close', () => {
      this.#isAnswered = true;
      if (this.#ending !== null && this.writable) this.#ending();
      else this.endIfDone();
    });
    serve(request, response);
  }

  /** Node's parser cannot continue, or something took too long to arrive. */
  fail({ code }: NodeJS.ErrnoException): void {
    if (code === 'ECONNRESET' || code === 'EPIPE') this.destroy();
    // Node's time for requests counts from their head on, and is asked once for each.
    else if (
      code === 'ERR_HTTP_REQUEST_TIMEOUT' &&
      this.#response !== null &&
      isOpenEnded(this.#response.req)
    )
      return;
    else this.#end(errorOfParser(code));
  }

  /** The request is another one: it comes to the connection as if it were read. */
  replace(bytes: Buffer): void {
    this.#isIdle = true;
    this.destroy();
    process.nextTick(() => this.#host.replaced(bytes));
  }

  /** `begin` does something else with the connection; what was not fed comes next on it. */
  release(begin: (socket: Socket) => void): void {
    this.#isIdle = true;
    this.#host.released();
    this.destroy();
    // What is read and was not fed goes back first.
    process.nextTick(begin, this.socket);
  }

  setTimeout(afterMs: number): this {
    this.socket.setTimeout(afterMs);
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  override _read(): void {
    // The piece before is on its way to the parser, which says then whether the request is whole.
    process.nextTick(() => this.#host.more());
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    this.socket.write(chunk, encoding, () => done());
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], done: () => void): void {
    const socket = this.socket;
    const last = chunks.length - 1;
    socket.cork();
    chunks.forEach(({ chunk, encoding }, index) => {
      if (index === last) socket.write(chunk, encoding, () => done());
      else socket.write(chunk, encoding);
    });
    socket.uncork();
  }

  override _final(done: () => void): void {
    this.socket.end(() => done());
    this.#host.more();
  }

  override _destroy(_error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isIdle) this.socket.destroy();
    done(null);
  }

  get #isWhole(): boolean {
    return this.#response?.req.complete === true;
  }

  get #takesMore(): boolean {
    if (this.#isIdle || this.destroyed || this.readableLength > 0) return false;
    // The connection ends: what still comes is counted and forgotten.
    if (this.writableEnded) return true;
    return this.#ending === null && !this.#isWhole;
  }

  #pieceEnd(bytes: Buffer): number {
    if (this.writableEnded || this.#isLast) return bytes.length;
    if (this.#bodyLeft > 0) return Math.min(this.#bodyLeft, bytes.length);
    const end = this.#emptyLineEnd(bytes);
    if (end === 0) return bytes.length;
    this.#emptyLines += 1;
    this.#isLast = this.#emptyLines > httpLimits.emptyLines;
    return this.#isLast ? bytes.length : end;
  }

  /** 0: there is none. One may have begun in the bytes before. */
  #emptyLineEnd(bytes: Buffer): number {
    const seam = Buffer.concat([this.#tail, bytes.subarray(0, 3)]).indexOf(emptyLine);
    if (seam >= 0) return seam + emptyLine.length - this.#tail.length;
    const at = bytes.indexOf(emptyLine);
    return at < 0 ? 0 : at + emptyLine.length;
  }

  /** null: no answer. A malformed body's error is the request's one answer, unless it has another. */
  #end(error: PublicError | null): void {
    if (this.#ending !== null) return;
    const request = this.#response?.req;
    const isOfBody = request !== undefined && !request.complete;
    this.#ending = () => {
      if (isOfBody || error === null) endGently(this);
      else sendRawError(this, error);
    };
    if (isOfBody) refuseBody(request, error ?? new PublicError('malformed_http'));
    if (isOfBody && this.readableEnded) request.emit(bodyLost);
    if (this.#response === null || this.#isAnswered) this.#ending();
  }
}
