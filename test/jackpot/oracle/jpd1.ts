import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import type { OracleInstance } from './instance.ts';
import { amount, atLeastZero } from './numbers.ts';
import type { Json } from './rules.ts';
import { oddsOf } from './triggers.ts';

export function sha256(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = createHash('sha256');
  for (const each of parts) hash.update(each);
  return new Uint8Array(hash.digest());
}

export function hmac(key: Uint8Array, ...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const mac = createHmac('sha256', key);
  for (const each of parts) mac.update(each);
  return new Uint8Array(mac.digest());
}

/** Big-endian, of a width in bytes. */
export function big(value: bigint | number, bytes: number): Uint8Array {
  return Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  );
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** RFC 8785 for documents without floats. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join()}}`;
}

/** R of each stream that something was drawn from, in order; who looks at them empties the list. */
export const drawnFrom: Uint8Array[] = [];

/** The 64-bit words of AES-256-CTR under R. */
export class Stream {
  readonly #cipher;
  #r: Uint8Array | null;

  constructor(r: Uint8Array) {
    this.#r = r;
    this.#cipher = createCipheriv('aes-256-ctr', r, Buffer.alloc(16));
  }

  uniform(m: bigint): bigint {
    if (this.#r !== null) drawnFrom.push(this.#r);
    this.#r = null;
    const mask = (1n << BigInt((m - 1n).toString(2).length)) - 1n;
    for (;;) {
      const lane = BigInt(`0x${this.#cipher.update(Buffer.alloc(8)).toString('hex')}`);
      const value = m === 1n ? 0n : lane & mask;
      if (value < m) return value;
    }
  }
}

/** The contributions of one instance in one message (or run of it). */
export interface Group {
  readonly instance: OracleInstance;
  readonly firstSequence: number;
  readonly inputs: Uint8Array[];
  readonly entries: Uint8Array[];
  readonly details: Json[];
  stream: Stream | null;
}

export function newGroup(instance: OracleInstance): Group {
  const firstSequence = instance.sequence + 1;
  return { instance, firstSequence, inputs: [], entries: [], details: [], stream: null };
}

function streamOf(group: Group): Stream {
  group.stream ??= streamFor(group.instance, 1, group.firstSequence, group.inputs);
  return group.stream;
}

/** The keystream of the running epoch for pots (1), community (2) or raffle (3) draws. */
export function streamFor(
  instance: OracleInstance,
  purpose: number,
  firstSequence: number,
  inputs: readonly Uint8Array[],
): Stream {
  const { number, configHash } = instance.epoch!;
  const { seed, beacon } = instance.seeds.get(number)!;
  const info = Buffer.concat([Buffer.from('JPD1/key'), instance.hash, big(number, 8), configHash]);
  const k = new Uint8Array(hkdfSync('sha256', seed, beacon, info, 32));
  const place = [big(purpose, 1), instance.hash, big(number, 8), big(firstSequence, 8), sha256(...inputs)];
  return new Stream(hmac(k, 'JPD1', ...place));
}

export function closeGroup(group: Group): void {
  if (group.entries.length === 0) return;
  const { instance } = group;
  instance.made.push({
    firstSequence: group.firstSequence,
    inputs: hex(Buffer.concat(group.inputs)),
    records: hex(Buffer.concat(group.entries)),
    details: group.details,
  });
  const details = group.details.length === 0 ? [] : [sha256(canonical(group.details))];
  instance.head = sha256(
    instance.head,
    big(group.firstSequence, 8),
    sha256(...group.inputs),
    ...group.entries,
    ...details,
  );
}

export function recordHead(
  sequence: number,
  c: bigint,
  nowMs: number,
  input: number,
  entries: number,
): Uint8Array {
  return Buffer.concat([big(sequence, 8), big(c, 8), big(nowMs, 8), big(input, 4), big(entries, 1)]);
}

export interface Drawn {
  readonly pot: number;
  /** The first that hit; −1: none. */
  readonly trigger: number;
  readonly entries: { bytes: Uint8Array; hit: boolean }[];
}

/** Step 9: all enabled pots of one contribution, on the values after step 8. */
export function draw(
  group: Group,
  c: bigint,
  nowMs: number,
  qualified: readonly boolean[],
): readonly Drawn[] {
  return group.instance.pots.flatMap((pot, index) => {
    if (!pot.enabled) return [];
    const value = pot.accounts.current;
    const before = pot.lastDrawn;
    const holds = constraintsHold(group.instance, index, nowMs);
    const flags = !qualified[index] ? 8 : c > 0n && !holds ? 4 : 0;
    const isDrawn = qualified[index] && c > 0n && holds && value > 0n;
    let first = -1;
    const isRaffle = group.instance.document.jackpot_type === 'Raffle';
    const types = (isRaffle ? [] : (pot.document.pot_types ?? [])) as Json[];
    const entries = types.map((_, trigger) => {
      const odds = isDrawn
        ? oddsOf({ pot, trigger, before, c, nowMs, resumedMs: group.instance.resumedMs })
        : null;
      const [num, den] = (odds ?? [0n, 0n]).map(atLeastZero) as [bigint, bigint];
      const isLane = num > 0n && num < den;
      const u = isLane ? streamOf(group).uniform(den) : 0n;
      const hit = odds !== null && (den === 0n || num >= den || (isLane && u < num));
      if (odds !== null) pot.lastDrawn = value;
      if (hit && first < 0) first = trigger;
      const numbers = [before, value, num, den, u].map((each) => big(each, 8));
      const bytes = Buffer.concat([big(index, 1), big(trigger, 1), ...numbers, big(hit ? 1 : flags, 1)]);
      return { bytes, hit };
    });
    return [{ pot: index, trigger: first, entries }];
  });
}

function constraintsHold(instance: OracleInstance, index: number, nowMs: number): boolean {
  const pot = instance.pots[index]!;
  const { seed, surplus, current } = pot.accounts;
  const need = amount(pot.document.seed_strategy?.min_reseed_value ?? 0);
  return (pot.document.win_constraints ?? []).every((constraint: Json) => {
    if ('AllowedSeedDeficit' in constraint) {
      const missing = atLeastZero(need - seed - surplus - instance.accounts.house!);
      return instance.deficit + missing <= amount(constraint.AllowedSeedDeficit);
    }
    if ('MinPotValue' in constraint) return current >= amount(constraint.MinPotValue);
    if ('MinContributions' in constraint) return pot.cycleCount >= constraint.MinContributions;
    return nowMs - pot.cycleStart >= constraint.MinInterval * 1000;
  });
}
