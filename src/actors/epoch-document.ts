import { ENTRY_BYTES, INPUT_BYTES, RECORD_BYTES } from '../jackpot/draw/names.ts';
import type { DrawGroup, DrawRecord } from '../jackpot/draw/recorder.ts';

/**
 * A revealed epoch as it is published, `<instance>/<epoch>.json` of the archive EPOCHS:
 *
 *   {v, header, seed, groups: [{first_seq, inputs, records, details, head}], closing}
 *   record: {seq, c, t, input, wager, player, seed: [], entries: [{pot, trigger, v0, v1, num, den, u, flags}]}
 *   closing: {head, next_seq, accounts, accumulated_seed_deficit, pots}
 *
 * `header` is the header's object; `details` are the group's wins, A22, A30 and round records as they were hashed;
 * `player` is what of `c` the player paid; a record whose wager was priced by a table that came after its input has
 * `repriced: true` besides; `closing` is what the next epoch's header begins with, null where none has begun; bytes are
 * lower-case hex, amounts decimal strings of atoms.
 */
export class EpochDocument {
  readonly #parts: Buffer[];
  #groups = 0;

  constructor(header: string, seed: Uint8Array) {
    const opening = `{"v":1,"header":${header},"seed":"${hex(seed)}","groups":[`;
    this.#parts = [Buffer.from(opening, 'utf8')];
  }

  add(group: DrawGroup): void {
    const separator = this.#groups === 0 ? '' : ',';
    this.#groups += 1;
    this.#parts.push(Buffer.from(separator + JSON.stringify(publicGroup(group)), 'utf8'));
  }

  /** `nextHeader`: JSON text of the header of the epoch behind, null where none has begun. */
  bytes(nextHeader: string | null): Uint8Array {
    const closing = nextHeader === null ? null : closingOf(JSON.parse(nextHeader));
    return Buffer.concat([...this.#parts, Buffer.from(`],"closing":${JSON.stringify(closing)}}`, 'utf8')]);
  }
}

function closingOf(next: Readonly<Record<string, unknown>>) {
  const { prev_head, first_seq, accounts, accumulated_seed_deficit, pots } = next;
  return { head: prev_head, next_seq: first_seq, accounts, accumulated_seed_deficit, pots };
}

function publicGroup(group: DrawGroup) {
  const bytes = Buffer.from(group.bytes.buffer, group.bytes.byteOffset, group.bytes.byteLength);
  return {
    first_seq: group.firstSequence,
    inputs: hex(group.inputs),
    records: group.records.map((record) => ({
      seq: record.sequence,
      c: record.contributionAtoms.toString(),
      t: record.timestampMs,
      input: record.inputIndex,
      wager: record.wagerAtoms.toString(),
      player: record.playerAtoms.toString(),
      ...(isRepriced(group, record) ? { repriced: true } : {}),
      seed: record.seedAtoms.map(String),
      entries: entriesAt(bytes, record.offset),
    })),
    details: group.details,
    head: hex(group.head),
  };
}

function isRepriced(group: DrawGroup, { inputIndex, wagerAtoms }: DrawRecord): boolean {
  if (group.inputs.length === 0) return false;
  const { buffer, byteOffset } = group.inputs;
  return new DataView(buffer, byteOffset).getBigUint64(inputIndex * INPUT_BYTES + 16) !== wagerAtoms;
}

/** The entries of the record at `offset` of the outcome bytes (domain.md 10, "Outcome bytes"). */
function entriesAt(bytes: Buffer, offset: number) {
  const count = bytes.readUInt8(offset + RECORD_BYTES - 1);
  return Array.from({ length: count }, (_, index) => {
    const at = offset + RECORD_BYTES + index * ENTRY_BYTES;
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

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
