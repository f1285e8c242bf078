import { httpLimits } from '../limits.ts';
import { type FastPathHead, readHead, readRequestLine } from './head.ts';
import type { FastPathRoute } from './route.ts';

const lineEnd = Buffer.from('\r\n', 'latin1');
const endOfHead = Buffer.from('\r\n\r\n', 'latin1');
const contentLength = /\r\ncontent-length: ?(\d+)/i;
const maxDigits = 7;
const zero = 0x30;
const nine = 0x39;

/**
 * Reads the heads of one connection's requests (`readHead`). A client's heads mostly differ in the target and
 * in Content-Length alone; then the other fields stand as they were read.
 */
export class HeadReader {
  readonly #routes: readonly FastPathRoute[];
  /** The last head; null: none that is for the fast path. */
  #head: FastPathHead | null = null;
  /** Its bytes, and what follows the request line. */
  #bytes: Buffer = endOfHead;
  #fields: Buffer = endOfHead;
  /** Where the digits of Content-Length stand in the fields; both their length without any. */
  #digitsAt = 0;
  #digitsEnd = 0;
  /** How long the last head was; 0: it had no end. */
  length = 0;

  constructor(routes: readonly FastPathRoute[]) {
    this.#routes = routes;
  }

  /** The head that `chunk` begins with; null: it has no end within the limit, or is for Node's server. */
  read(chunk: Buffer): FastPathHead | null {
    const known = this.#head;
    if (known !== null) {
      const { length } = this.#bytes;
      if (startsWith(chunk, 0, this.#bytes, 0, length)) {
        this.length = length;
        return known;
      }
      const head = this.#readWithKnownFields(chunk, known);
      if (head !== null) return head;
    }
    const end = chunk.indexOf(endOfHead);
    if (end < 0 || end > httpLimits.headerBytes) {
      this.length = 0;
      return null;
    }
    this.length = end + endOfHead.length;
    const text = chunk.toString('latin1', 0, end);
    const head = readHead(text, this.#routes);
    if (head !== null) this.#know(chunk, text);
    this.#head = head;
    return head;
  }

  #know(chunk: Buffer, text: string): void {
    this.#bytes = Buffer.from(chunk.subarray(0, this.length));
    const fieldsAt = text.indexOf('\r\n');
    this.#fields = this.#bytes.subarray(fieldsAt);
    const [found, digits] = contentLength.exec(text) ?? [];
    this.#digitsEnd =
      found === undefined ? this.#fields.length : text.indexOf(found) + found.length - fieldsAt;
    this.#digitsAt = this.#digitsEnd - (digits ?? '').length;
  }

  /** null: something else differs, or is not plain. */
  #readWithKnownFields(chunk: Buffer, known: FastPathHead): FastPathHead | null {
    const fieldsAt = chunk.indexOf(lineEnd);
    if (fieldsAt < 0 || !startsWith(chunk, fieldsAt, this.#fields, 0, this.#digitsAt)) return null;
    const digitsAt = fieldsAt + this.#digitsAt;
    let at = digitsAt;
    let bodyBytes = 0;
    if (this.#digitsAt < this.#digitsEnd) {
      for (; at < digitsAt + maxDigits && isDigit(chunk[at]); at += 1)
        bodyBytes = 10 * bodyBytes + (chunk[at] as number) - zero;
      if (at === digitsAt || chunk[digitsAt] === zero || bodyBytes > known.route.maxBytes) return null;
    }
    const rest = this.#fields.length - this.#digitsEnd;
    const length = at + rest;
    if (length - endOfHead.length > httpLimits.headerBytes) return null;
    if (!startsWith(chunk, at, this.#fields, this.#digitsEnd, rest)) return null;
    const asked = readRequestLine(chunk.toString('latin1', 0, fieldsAt), this.#routes);
    if (asked === null || asked.route !== known.route) return null;
    this.length = length;
    const { route, headers, origin } = known;
    return { route, inputs: asked.inputs, headers, bodyBytes, origin };
  }
}

function startsWith(chunk: Buffer, at: number, known: Buffer, knownAt: number, length: number): boolean {
  return (
    chunk.length >= at + length && chunk.compare(known, knownAt, knownAt + length, at, at + length) === 0
  );
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}
