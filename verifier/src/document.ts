import { Disagreement } from './disagreement.ts';
import { type Header, readHeader, readResumed } from './header.ts';
import {
  anyObject,
  atomsAt,
  balanceAt,
  bytesAt,
  countAt,
  flagAt,
  listAt,
  type Members,
  objectAt,
} from './shape.ts';

/** One trigger of one pot, at one contribution. */
export interface Entry {
  readonly pot: number;
  readonly trigger: number;
  readonly v0: bigint;
  readonly v1: bigint;
  readonly num: bigint;
  readonly den: bigint;
  readonly u: bigint;
  readonly flags: number;
}

export interface PublicRecord {
  readonly sequence: number;
  readonly contribution: bigint;
  readonly timestampMs: number;
  readonly input: number;
  readonly wager: bigint;
  /** Of the contribution, what the player paid; the rest is the operator's part. */
  readonly player: bigint;
  /** The wager was priced by a rate table that arrived after its input was written. */
  readonly repriced: boolean;
  /** It came in another currency than the instance's. */
  readonly converted: boolean;
  /** Its player was asked to pay before this epoch, by the rules of then. */
  readonly pricedBefore: boolean;
  /** Reserve of each pot after the step. */
  readonly seeds: readonly bigint[];
  readonly entries: readonly Entry[];
}

/** The draws of the contributions of one message, or one event of its own. */
export interface PublicGroup {
  readonly firstSequence: number;
  readonly inputs: Uint8Array;
  readonly records: readonly PublicRecord[];
  /** As they were hashed. */
  readonly details: readonly Members[];
  readonly head: Uint8Array;
}

/** What the next epoch begins with. */
export interface Closing {
  readonly json: Members;
  readonly head: Uint8Array;
  readonly nextSequence: number;
  readonly accounts: Members;
  readonly deficit: bigint;
  readonly pots: readonly unknown[];
  readonly configHash: Uint8Array;
  /** The rules that the next epoch begins with, where they are others than this one's. */
  readonly config: Members | null;
  /** When the instance was resumed last; null: never, or the epoch is of the first rules. */
  readonly resumed: number | null;
}

/** The public data of a revealed epoch, without its groups. */
export interface PublicEpoch {
  readonly header: Header;
  readonly seed: Uint8Array;
  /** The number of pages of its groups. */
  readonly pages: number;
  readonly closing: Closing;
}

export interface FirstPage {
  readonly epoch: PublicEpoch;
  readonly groups: readonly PublicGroup[];
}

/** An epoch whose seed is not public yet: there is nothing to verify so far. */
export class NotRevealed extends Error {}

const published = ['v', 'header', 'seed', 'groups', 'closing'];
const named = ['instance_id', 'epoch', 'state', 'commit'];
/** Of a record; where one is missing it is not so. */
const recordMarks = ['repriced', 'converted', 'priced_before'] as const;
const further = ['v', 'page', 'groups'];

/** Whether it says of itself that it is a further page of an epoch. */
export function isContinuationPage(json: unknown): boolean {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, 'page');
}

/** Reads GET /v1/fairness/instances/{id}/epochs/{e}, or the published file itself. Throws a Disagreement, or NotRevealed. */
export function readFirstPage(json: unknown): FirstPage {
  const outer = anyObject(json, 'the file');
  const isAnswer = Object.hasOwn(outer, 'instance_id');
  if (isAnswer && (outer.state !== 'revealed' || outer.groups === null)) {
    const state = typeof outer.state === 'string' ? outer.state : 'unknown';
    if (['committed', 'running', 'ended', 'revealed'].includes(state))
      throw new NotRevealed(`The epoch is ${state === 'revealed' ? 'not published yet' : state}.`);
  }
  const hasPages = Object.hasOwn(outer, 'pages');
  const wanted = hasPages ? [...published, 'pages'] : published;
  const members = objectAt(json, 'the file', isAnswer ? [...named, ...wanted] : wanted);
  readVersion(members);
  const header = readHeader(members.header);
  if (isAnswer) readNames(members, header);
  const pages = hasPages ? countAt(members.pages, 'pages') : 1;
  if (hasPages && pages < 2) throw new Disagreement('document', 'pages is there, but below 2');
  const epoch = {
    header,
    seed: bytesAt(members.seed, 'seed', 32),
    pages,
    closing: readClosing(members.closing, header),
  };
  return { epoch, groups: readGroups(members.groups, 'groups', header) };
}

/** As `readFirstPage`, of `…?page=<page>`. */
export function readContinuationPage(
  json: unknown,
  page: number,
  { header }: PublicEpoch,
): readonly PublicGroup[] {
  const path = `page ${page}`;
  const isAnswer = Object.hasOwn(anyObject(json, path), 'instance_id');
  const members = objectAt(json, path, isAnswer ? ['instance_id', 'epoch', ...further] : further);
  readVersion(members);
  if (members.page !== page) throw new Disagreement('document', `${path} says that it is another one`);
  const isOfEpoch = members.instance_id === header.instance && members.epoch === header.epoch;
  if (isAnswer && !isOfEpoch) throw new Disagreement('document', `${path} is of another epoch`);
  const groups = readGroups(members.groups, `${path}: groups`, header);
  if (groups.length === 0) throw new Disagreement('document', `${path} is empty`);
  return groups;
}

function readVersion(members: Members): void {
  if (members.v !== 1) throw new Disagreement('document', 'v is not 1');
}

function readGroups(json: unknown, path: string, { pots }: Header): readonly PublicGroup[] {
  return listAt(json, path).map((group, index) => readGroup(group, `${path}[${index}]`, pots.length));
}

function readNames(members: Members, header: Header): void {
  const wanted: Members = {
    instance_id: header.instance,
    epoch: header.epoch,
    state: 'revealed',
    commit: header.json.commit,
  };
  for (const name of named) {
    if (members[name] !== wanted[name])
      throw new Disagreement('document', `${name} is not what the header says`);
  }
}

function readGroup(json: unknown, path: string, pots: number): PublicGroup {
  const group = objectAt(json, path, ['first_seq', 'inputs', 'records', 'details', 'head']);
  const records = listAt(group.records, `${path}.records`);
  if (records.length === 0) throw new Disagreement('document', `${path}.records is empty`);
  return {
    firstSequence: countAt(group.first_seq, `${path}.first_seq`),
    inputs: bytesAt(group.inputs, `${path}.inputs`, null),
    records: records.map((record, index) => readRecord(record, `${path}.records[${index}]`, pots)),
    details: listAt(group.details, `${path}.details`).map((detail, index) =>
      anyObject(detail, `${path}.details[${index}]`),
    ),
    head: bytesAt(group.head, `${path}.head`, 32),
  };
}

function readRecord(json: unknown, path: string, pots: number): PublicRecord {
  const names = ['seq', 'c', 't', 'input', 'wager', 'player', 'seed', 'entries'];
  const marks = recordMarks.filter((mark) => Object.hasOwn(anyObject(json, path), mark));
  const record = objectAt(json, path, [...names, ...marks]);
  for (const mark of marks)
    if (!flagAt(record[mark], `${path}.${mark}`))
      throw new Disagreement('document', `${path}.${mark} is there, but not true`);
  const seeds = listAt(record.seed, `${path}.seed`);
  if (seeds.length !== pots) throw new Disagreement('document', `${path}.seed is not one for each pot`);
  return {
    sequence: countAt(record.seq, `${path}.seq`),
    contribution: atomsAt(record.c, `${path}.c`),
    timestampMs: countAt(record.t, `${path}.t`),
    input: countAt(record.input, `${path}.input`, 0xffff_ffff),
    wager: atomsAt(record.wager, `${path}.wager`),
    player: atomsAt(record.player, `${path}.player`),
    repriced: marks.includes('repriced'),
    converted: marks.includes('converted'),
    pricedBefore: marks.includes('priced_before'),
    seeds: seeds.map((seed, index) => atomsAt(seed, `${path}.seed[${index}]`)),
    entries: listAt(record.entries, `${path}.entries`).map((entry, index) =>
      readEntry(entry, `${path}.entries[${index}]`),
    ),
  };
}

function readEntry(json: unknown, path: string): Entry {
  const entry = objectAt(json, path, ['pot', 'trigger', 'v0', 'v1', 'num', 'den', 'u', 'flags']);
  return {
    pot: countAt(entry.pot, `${path}.pot`, 255),
    trigger: countAt(entry.trigger, `${path}.trigger`, 255),
    v0: atomsAt(entry.v0, `${path}.v0`),
    v1: atomsAt(entry.v1, `${path}.v1`),
    num: atomsAt(entry.num, `${path}.num`),
    den: atomsAt(entry.den, `${path}.den`),
    u: atomsAt(entry.u, `${path}.u`),
    flags: countAt(entry.flags, `${path}.flags`, 255),
  };
}

function readClosing(json: unknown, { rules }: Header): Closing {
  const closing = objectAt(json, 'closing', [
    'head',
    'next_seq',
    'accounts',
    'accumulated_seed_deficit',
    'pots',
    'config_hash',
    'config',
    ...(rules === 1 ? [] : ['resumed']),
  ]);
  return {
    json: closing,
    head: bytesAt(closing.head, 'closing.head', 32),
    nextSequence: countAt(closing.next_seq, 'closing.next_seq'),
    accounts: anyObject(closing.accounts, 'closing.accounts'),
    deficit: balanceAt(closing.accumulated_seed_deficit, 'closing.accumulated_seed_deficit'),
    pots: listAt(closing.pots, 'closing.pots'),
    configHash: bytesAt(closing.config_hash, 'closing.config_hash', 32),
    config: closing.config === null ? null : anyObject(closing.config, 'closing.config'),
    resumed: rules === 1 ? null : readResumed(closing.resumed, 'closing.resumed'),
  };
}
