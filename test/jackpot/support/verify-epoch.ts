import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import canonicalize from 'canonicalize';
import {
  type Accounts,
  atomsOf,
  feed,
  type Json,
  opening,
  type PotState,
  payAndReseed,
} from './verify-accounts.ts';

/** What is public of a revealed epoch. */
export interface PublicEpoch {
  readonly header: string;
  readonly seed: Uint8Array;
  readonly groups: readonly PublicGroup[];
}

export interface PublicGroup {
  readonly firstSequence: number;
  readonly inputs: Uint8Array;
  readonly bytes: Uint8Array;
  readonly records: readonly { readonly wagerAtoms: bigint; readonly seedAtoms: readonly bigint[] }[];
  readonly details: readonly unknown[];
}

export interface Verdict {
  readonly head: string;
  readonly draws: number;
  readonly wins: number;
}

/**
 * Recomputes an epoch from what is public of it: commit, key, every u, every hit, the money, the head. Throws at the
 * first disagreement. Knows nothing of the engine: node:crypto, an RFC 8785 package, and domain.md 10.
 */
export function verifyEpoch(epoch: PublicEpoch): Verdict {
  const header = JSON.parse(epoch.header) as Json;
  const instance = sha256(Buffer.from(header.instance)).subarray(0, 16);
  const commit = sha256(Buffer.from('JPD1/commit'), instance, u64(header.epoch), epoch.seed);
  expectSame('commit', commit.toString('hex'), header.commit);
  const configHash = sha256(Buffer.from(canonicalize(header.config)!));
  expectSame('config_hash', configHash.toString('hex'), header.config_hash);
  const info = Buffer.concat([Buffer.from('JPD1/key'), instance, u64(header.epoch), configHash]);
  const key = Buffer.from(hkdfSync('sha256', epoch.seed, Buffer.from(header.beacon, 'hex'), info, 32));
  const accounts = opening(header);
  let head = sha256(Buffer.from(header.prev_head, 'hex'), sha256(Buffer.from(canonicalize(header)!)));
  let sequence = header.first_seq as number;
  const tally = { draws: 0, wins: 0 };
  for (const group of epoch.groups) {
    expectSame('first_seq', group.firstSequence, sequence);
    const inputsHash = sha256(group.inputs);
    const place = [Buffer.from('JPD1'), Buffer.of(1), instance, u64(header.epoch), u64(sequence), inputsHash];
    const lanes = lanesOf(createHmac('sha256', key).update(Buffer.concat(place)).digest());
    sequence = verifyGroup(group, header.config, accounts, sequence, lanes, tally);
    const details = group.details.length === 0 ? [] : [sha256(Buffer.from(canonicalize(group.details)!))];
    head = sha256(head, u64(group.firstSequence), inputsHash, group.bytes, ...details);
  }
  return { head: head.toString('hex'), ...tally };
}

function verifyGroup(
  group: PublicGroup,
  config: Json,
  accounts: Accounts,
  firstSequence: number,
  lanes: (below: bigint) => bigint,
  tally: { draws: number; wins: number },
): number {
  const bytes = Buffer.from(group.bytes);
  let sequence = firstSequence;
  let at = 0;
  let detail = 0;
  for (const record of group.records) {
    expectSame('seq', bytes.readBigUInt64BE(at), BigInt(sequence));
    const contribution = bytes.readBigUInt64BE(at + 8);
    const timestamp = Number(bytes.readBigUInt64BE(at + 16));
    const entries = bytes[at + 28]!;
    at += 29;
    const own = group.details[detail] as Json | undefined;
    if (entries === 0 && own?.seq === sequence && own.type !== 'win') {
      detail += 1;
      applyDetail(own, config, accounts, timestamp);
    } else {
      const qualified = feed(accounts, config, contribution, record.wagerAtoms);
      const hits = verifyEntries(bytes, at, accounts, qualified, contribution, timestamp, lanes, tally);
      at += entries * 43;
      if (hits.length > 0) {
        tally.wins += 1;
        const paid = select(config, hits);
        const win = group.details[detail++] as Json;
        expectSame('win seq', win.seq, sequence);
        expectSame('win pot', win.pot, paid.id);
        expectSame('win value', win.value, paid.current.toString());
        expectSame('win', win.win, payAndReseed(accounts, config, paid, timestamp).toString());
      }
    }
    for (const [index, pot] of accounts.pots.entries()) {
      expectSame('seed after', record.seedAtoms[index], pot.seed);
    }
    sequence += 1;
  }
  expectSame('bytes of the group', at, bytes.length);
  expectSame('details of the group', detail, group.details.length);
  return sequence;
}

function verifyEntries(
  bytes: Buffer,
  from: number,
  accounts: Accounts,
  qualified: boolean[],
  contribution: bigint,
  timestamp: number,
  lanes: (below: bigint) => bigint,
  tally: { draws: number },
): PotState[] {
  const hits: { pot: PotState; flagsAt: number[] }[] = [];
  let at = from;
  accounts.pots.forEach((pot, index) => {
    if (!pot.enabled) return;
    const holds = constraintsHold(accounts, pot, timestamp);
    const evaluates = qualified[index]! && contribution > 0n && pot.current > 0n && holds;
    const flagsAt: number[] = [];
    let drawn = false;
    (pot.effective.pot_types as Json[]).forEach((type, trigger) => {
      expectSame('pot and trigger', [bytes[at], bytes[at + 1]].join(), [index, trigger].join());
      expectSame('v0', bytes.readBigUInt64BE(at + 2), pot.lastDrawn);
      expectSame('v1', bytes.readBigUInt64BE(at + 10), pot.current);
      const expected = { num: 0n, den: 0n, u: 0n, hit: false };
      if (evaluates && type.HitRate !== undefined) {
        drawn = true;
        expected.num = contribution;
        expected.den = BigInt(type.HitRate.max_magic_number) * atomsOf(type.HitRate.cost_per_attempt);
        expected.hit = expected.num >= expected.den;
        if (!expected.hit) {
          expected.u = lanes(expected.den);
          expected.hit = expected.u < expected.num;
        }
        tally.draws += 1;
      }
      expectSame('num', bytes.readBigUInt64BE(at + 18), expected.num);
      expectSame('den', bytes.readBigUInt64BE(at + 26), expected.den);
      expectSame('u', bytes.readBigUInt64BE(at + 34), expected.u);
      const blocked = qualified[index]! && contribution > 0n && !holds ? 4 : 0;
      const flags = (expected.hit ? 1 : 0) + blocked + (qualified[index] ? 0 : 8);
      expectSame('flags', bytes[at + 42]! & ~2, flags);
      if (expected.hit) flagsAt.push(at + 42);
      at += 43;
    });
    if (drawn) pot.lastDrawn = pot.current;
    if (flagsAt.length > 0) hits.push({ pot, flagsAt });
  });
  const voided = hits.filter(({ flagsAt }) => flagsAt.every((flag) => (bytes[flag]! & 2) !== 0));
  expectSame('void hits', voided.length, Math.max(0, hits.length - 1));
  return hits.map(({ pot }) => pot);
}

function select(config: Json, hits: PotState[]): PotState {
  const strategy = config.win_selector_strategy ?? 'Lowest';
  if (strategy === 'First') return hits[0]!;
  return hits.reduce((best, pot) =>
    (strategy === 'Lowest' ? pot.current < best.current : pot.current > best.current) ? pot : best,
  );
}

function constraintsHold(accounts: Accounts, pot: PotState, timestamp: number): boolean {
  return ((pot.effective.win_constraints ?? []) as Json[]).every((constraint) => {
    if (constraint.MinContributions !== undefined)
      return pot.cycleContributions >= constraint.MinContributions;
    if (constraint.MinPotValue !== undefined) return pot.current >= atomsOf(constraint.MinPotValue);
    if (constraint.MinInterval !== undefined)
      return timestamp - pot.cycleStart >= constraint.MinInterval * 1000;
    const need =
      atomsOf(pot.effective.seed_strategy?.min_reseed_value) - pot.seed - pot.surplus - accounts.house;
    return accounts.deficit + (need > 0n ? need : 0n) <= atomsOf(constraint.AllowedSeedDeficit);
  });
}

function applyDetail(detail: Json, config: Json, accounts: Accounts, timestamp: number): void {
  const pot = accounts.pots.find((each) => each.id === detail.pot);
  if (detail.type === 'trigger') {
    expectSame('trigger value', detail.value, pot!.current.toString());
    expectSame('trigger win', detail.win, payAndReseed(accounts, config, pot!, timestamp).toString());
  } else if (pot === undefined) accounts.house = BigInt(detail.after);
  else if (detail.account === 'current_value') pot.current = BigInt(detail.after);
  else if (detail.account === 'seed_value') pot.seed = BigInt(detail.after);
  else pot.surplus = BigInt(detail.after);
}

/** Uniform(M) over one key stream. */
function lanesOf(key: Buffer): (below: bigint) => bigint {
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (below) => {
    const bits = below === 1n ? 0 : (below - 1n).toString(2).length;
    const mask = (1n << BigInt(bits)) - 1n;
    for (;;) {
      const lane = cipher.update(Buffer.alloc(8)).readBigUInt64BE() & mask;
      if (lane < below) return lane;
    }
  };
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${String(found)} where ${String(wanted)} was computed`);
}
