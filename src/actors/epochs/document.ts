import { entryBytes, inputBytes, recordBytes } from '../../jackpot/rules/keystreams/names.ts';
import type { DrawGroup, DrawRecord } from '../../jackpot/state/lane/recorder.ts';
import { toHex } from '../../lib/bytes.ts';

type Members = Readonly<Record<string, unknown>>;

/** A message has up to 256 records, whose text takes milliseconds: this many are written at a time. */
const recordsPerPiece = 64;

interface GroupPiece {
  readonly text: string;
  readonly records: number;
}

/**
 * A revealed epoch as it is published, `<instance>/<epoch>.json` of the archive EPOCHS:
 *
 *   {v, header, seed, groups: [{first_seq, inputs, records, details, head}], closing}
 *   record: {seq, c, t, input, wager, player, seed: [], entries: [entry]}
 *   entry: {pot, trigger, v0, v1, num, den, u, flags}
 *   closing: {head, next_seq, accounts, accumulated_seed_deficit, pots, config_hash, config, resumed}
 *
 * `header` is the header's object; `details` are the group's wins, A22, A30 and round records as they were
 * hashed; `player` is what of `c` the player paid. A record has `repriced: true` where its wager was priced
 * by a table that came after its input, `converted: true` where it came in another currency than the
 * instance's, and `priced_before: true` where its player was asked to pay before this epoch. `closing` is
 * what the next epoch's header begins with, or would begin with; there `config` is null where it is this
 * one's, and `resumed` is there where the header names rules. Bytes are lower-case hex, amounts decimal
 * strings of atoms. An epoch of several pages has their number in the first one, `pages` after `v`; a further
 * one is {v, page, groups}.
 */
export function firstPageOpening(header: string, seed: Uint8Array, pages: number): string {
  const count = pages === 1 ? '' : `"pages":${pages},`;
  return `{"v":1,${count}"header":${header},"seed":"${toHex(seed)}","groups":[`;
}

export function continuationPageOpening(page: number): string {
  return `{"v":1,"page":${page},"groups":[`;
}

export const continuationPageEnding = ']}';

/** `next`: JSON text of the header of the next epoch, or of what it would begin with. */
export function firstPageEnding(header: string, next: string): string {
  return `],"closing":${JSON.stringify(closingOf(JSON.parse(header), JSON.parse(next)))}}`;
}

/** A group's text, in pieces that are short work each. */
export function* groupPieces(group: DrawGroup): Generator<GroupPiece> {
  const bytes = Buffer.from(group.bytes.buffer, group.bytes.byteOffset, group.bytes.byteLength);
  const opening = `{"first_seq":${group.firstSequence},"inputs":"${toHex(group.inputs)}","records":[`;
  for (let from = 0; from < group.records.length; from += recordsPerPiece) {
    const records = group.records.slice(from, from + recordsPerPiece);
    const texts = records.map((record) => JSON.stringify(publicRecord(group, bytes, record)));
    yield { text: (from === 0 ? opening : ',') + texts.join(','), records: records.length };
  }
  const ending = `],"details":${JSON.stringify(group.details)},"head":"${toHex(group.head)}"}`;
  yield { text: group.records.length === 0 ? opening + ending : ending, records: group.details.length };
}

function closingOf(header: Members, next: Members) {
  const { prev_head, first_seq, accounts, accumulated_seed_deficit, pots, config_hash, config } = next;
  return {
    head: prev_head,
    next_seq: first_seq,
    accounts,
    accumulated_seed_deficit,
    pots,
    config_hash,
    config: config_hash === header.config_hash ? null : config,
    ...(header.rules === undefined ? {} : { resumed: next.resumed }),
  };
}

function publicRecord(group: DrawGroup, bytes: Buffer, record: DrawRecord) {
  return {
    seq: record.sequence,
    c: record.contributionAtoms.toString(),
    t: record.timestampMs,
    input: record.inputIndex,
    wager: record.wagerAtoms.toString(),
    player: record.playerAtoms.toString(),
    ...(isRepriced(group, record) ? { repriced: true } : {}),
    ...(record.isConverted ? { converted: true } : {}),
    ...(record.isPricedBefore ? { priced_before: true } : {}),
    seed: record.seedAtoms.map(String),
    entries: entriesAt(bytes, record.offset),
  };
}

function isRepriced(group: DrawGroup, { inputIndex, wagerAtoms }: DrawRecord): boolean {
  if (group.inputs.length === 0) return false;
  const { buffer, byteOffset } = group.inputs;
  return new DataView(buffer, byteOffset).getBigUint64(inputIndex * inputBytes + 16) !== wagerAtoms;
}

/** The entries of the record at `offset` (docs/jpd1.md "4. Hashes, key, random numbers"). */
function entriesAt(bytes: Buffer, offset: number) {
  const count = bytes.readUInt8(offset + recordBytes - 1);
  return Array.from({ length: count }, (_, index) => {
    const at = offset + recordBytes + index * entryBytes;
    const amount = (from: number): string => bytes.readBigUInt64BE(at + from).toString();
    return {
      pot: bytes.readUInt8(at),
      trigger: bytes.readUInt8(at + 1),
      v0: amount(2),
      v1: amount(10),
      num: amount(18),
      den: amount(26),
      u: amount(34),
      flags: bytes.readUInt8(at + 42),
    };
  });
}
