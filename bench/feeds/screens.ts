/**
 * Many screens of a feed in one process: sockets from several loopback addresses that subscribe and note when
 * each frame comes. A client library would cost more than what is measured.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerCalls, sharedMs } from './remote.ts';

export interface OpenInput {
  readonly port: number;
  readonly path: string;
  readonly count: number;
  /** Sent once the socket is open; null: nothing. */
  readonly subscribe: string | null;
  /** Server-Sent Events in place of a websocket. */
  readonly events?: boolean;
}

interface Frame {
  readonly payload: Buffer;
  /** When it came to the last screen so far, by `sharedMs`. */
  lastMs: number;
  screens: number;
}

export type Screens = {
  /** Opens more; resolves when each has had a frame, or is open where it subscribes to nothing. */
  open(input: OpenInput): Promise<void>;
  /** Waits until that many screens have a frame with this text: when the last had it; null: too late. */
  shown(input: {
    readonly text: string;
    readonly screens: number;
    readonly withinMs: number;
  }): Promise<number | null>;
  /** Frames and bytes that come within the time. */
  count(input: { readonly forMs: number }): Promise<{ frames: number; bytes: number }>;
  /** That many screens read no more. */
  stall(input: { readonly count: number }): Promise<void>;
  /** Those that are open now. */
  opened(input: null): Promise<number>;
  /** One frame of the feed, as the last one came. */
  sample(input: null): Promise<string>;
  close(input: null): Promise<void>;
};

const atOnce = 200;
/** Enough that no address has more public handshakes than it may. */
const addresses = Array.from({ length: 32 }, (_, index) => `127.0.0.${index + 2}`);
const keptFrames = 64;
const pollMs = 2;
/** Begins the line of an event that has something to show. */
const dataLine = '\ndata:';
const key = Buffer.alloc(16).toString('base64');

const open = new Set<Screen>();
const frames: Frame[] = [];
let counted = { frames: 0, bytes: 0 };

class Screen {
  readonly socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #isUpgraded = false;
  #shown: (() => void) | null = null;
  readonly #subscribe: string | null;
  readonly ready: Promise<void>;

  constructor({ port, path, subscribe, events }: OpenInput, localAddress: string) {
    this.#subscribe = subscribe;
    this.socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const upgrade = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n`;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${events ? '' : upgrade}\r\n`);
    this.ready = new Promise((resolve, reject) => {
      this.#shown = resolve;
      this.socket.once('error', reject);
      this.socket.once('close', () => {
        open.delete(this);
        reject(new Error('A screen was refused or closed.'));
      });
    });
    this.socket.on('data', events ? (bytes) => this.#streamed(bytes) : (bytes) => this.#received(bytes));
  }

  #received(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (!this.#isUpgraded && !this.#upgrade()) return;
    for (let length = this.#next(); length > 0; length = this.#next())
      this.#rest = this.#rest.subarray(length);
  }

  #streamed(bytes: Buffer): void {
    const text = this.#rest.toString('latin1') + bytes.toString('latin1');
    const found = text.split(dataLine).length - 1;
    // A line may come in two parts.
    this.#rest = Buffer.from(text.slice(1 - dataLine.length), 'latin1');
    if (found === 0) return;
    counted.frames += found;
    counted.bytes += bytes.length;
    this.#shown?.();
  }

  #upgrade(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#rest.subarray(0, end).toString('latin1');
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(`A screen got: ${head.split('\r\n', 1)[0]}`);
    this.#rest = this.#rest.subarray(end + 4);
    this.#isUpgraded = true;
    if (this.#subscribe === null) this.#shown?.();
    else this.#send(1, Buffer.from(this.#subscribe));
    return true;
  }

  /** Bytes of the frame that lies at the front; 0: it is not whole. Servers do not mask. */
  #next(): number {
    const rest = this.#rest;
    if (rest.length < 2) return 0;
    const short = rest[1]! & 127;
    const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < headBytes) return 0;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < headBytes + length) return 0;
    const payload = rest.subarray(headBytes, headBytes + length);
    const kind = rest[0]! & 15;
    if (kind === 9) this.#send(10, payload);
    if (kind === 1) this.#frame(payload);
    return headBytes + length;
  }

  #frame(payload: Buffer): void {
    counted.frames += 1;
    counted.bytes += payload.length;
    this.#shown?.();
    this.#shown = null;
    let known: Frame | undefined;
    for (let index = frames.length - 1; index >= 0 && known === undefined; index -= 1)
      if (frames[index]!.payload.equals(payload)) known = frames[index];
    if (known === undefined) {
      known = { payload: Buffer.from(payload), lastMs: 0, screens: 0 };
      frames.push(known);
      if (frames.length > keptFrames) frames.shift();
    }
    known.screens += 1;
    known.lastMs = sharedMs();
  }

  /** Masked with zeros, as short as it is. */
  #send(kind: number, payload: Buffer): void {
    const length =
      payload.length < 126 ? [128 | payload.length] : [128 | 126, payload.length >> 8, payload.length & 255];
    this.socket.write(Buffer.concat([Buffer.from([128 | kind, ...length, 0, 0, 0, 0]), payload]));
  }
}

const screens: Screens = {
  async open(input) {
    let next = 0;
    const opener = async (): Promise<void> => {
      while (next < input.count) {
        next += 1;
        const screen = new Screen(input, addresses[next % addresses.length]!);
        open.add(screen);
        await screen.ready;
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, input.count) }, opener));
  },
  async shown({ text, screens: wanted, withinMs }) {
    const deadlineMs = sharedMs() + withinMs;
    for (;;) {
      const frame = frames.find(({ payload }) => payload.includes(text));
      if (frame !== undefined && frame.screens >= wanted) return frame.lastMs;
      if (sharedMs() > deadlineMs) return null;
      await pause(pollMs);
    }
  },
  async count({ forMs }) {
    counted = { frames: 0, bytes: 0 };
    await pause(forMs);
    return { ...counted };
  },
  async stall({ count }) {
    for (const screen of [...open].slice(0, count)) screen.socket.pause();
  },
  async opened() {
    return open.size;
  },
  async sample() {
    return frames.at(-1)?.payload.toString() ?? '';
  },
  async close() {
    for (const screen of [...open]) {
      screen.ready.catch(() => {});
      screen.socket.destroy();
    }
    while (open.size > 0) await pause(pollMs);
    frames.length = 0;
  },
};

answerCalls(screens);
