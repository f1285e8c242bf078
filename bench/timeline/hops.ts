/**
 * Loaded into a role before its program (`--import`): keeps when it read and wrote what on its sockets, on
 * the clock that all processes of a machine share. The program does not know of it, so nothing of it costs
 * anything where it is not loaded. The last word of the command line names the role; its file is written when
 * it ends.
 */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** What a role did with a socket. */
export interface Hop {
  /** On CLOCK_MONOTONIC, milliseconds. */
  readonly atMs: number;
  readonly kind: 'read' | 'wrote';
  /** A number of the socket's own. */
  readonly socket: number;
  /** The bytes, in Latin 1; of very many the first. */
  readonly text: string;
}

interface Internals {
  push(chunk: Buffer | null): boolean;
  _writeGeneric(isMany: boolean, data: unknown, encoding: string, done: unknown): void;
}

const maxHops = 400_000;
const keptBytes = 65_536;
const watched = ['gateway', 'actors'];

const role = process.argv.at(-1) ?? '';
const directory = new URL(import.meta.url).searchParams.get('directory');
const hops: { atMs: number; kind: Hop['kind']; socket: number; data: unknown }[] = [];
const numbers = new WeakMap<object, number>();
let sockets = 0;

function numberOf(socket: object): number {
  const known = numbers.get(socket);
  if (known !== undefined) return known;
  sockets += 1;
  numbers.set(socket, sockets);
  return sockets;
}

function keep(kind: Hop['kind'], socket: object, data: unknown): void {
  if (hops.length < maxHops)
    hops.push({ atMs: Number(process.hrtime.bigint()) / 1e6, kind, socket: numberOf(socket), data });
}

function textOf(data: unknown): string {
  if (Array.isArray(data)) return data.map(({ chunk }) => textOf(chunk)).join('');
  if (typeof data === 'string') return data.slice(0, keptBytes);
  return data instanceof Uint8Array
    ? Buffer.from(data.buffer, data.byteOffset, Math.min(data.byteLength, keptBytes)).toString('latin1')
    : '';
}

if (directory !== null && watched.includes(role)) {
  const internals = Socket.prototype as unknown as Internals;
  const { push, _writeGeneric } = internals;
  internals.push = function (this: Socket, chunk) {
    if (chunk !== null) keep('read', this, chunk);
    return push.call(this as unknown as Internals, chunk);
  };
  internals._writeGeneric = function (this: Socket, isMany, data, encoding, done) {
    keep('wrote', this, data);
    _writeGeneric.call(this as unknown as Internals, isMany, data, encoding, done);
  };
  process.once('exit', () => {
    const lines: Hop[] = hops.map(({ data, ...hop }) => ({ ...hop, text: textOf(data) }));
    writeFileSync(`${directory}/${role}.json`, JSON.stringify(lines));
  });
}
