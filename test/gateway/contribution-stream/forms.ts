import { Packr, Unpackr } from 'msgpackr';
import { streamMediaTypes } from '../../../src/gateway/contribution-stream/media-types.ts';
import type { Line, ResultLine } from './stream-client.ts';

/** A form of the stream, as a caller writes and reads it: results of all forms are compared as lines of JSON. */
export interface Form {
  readonly name: string;
  readonly mediaType: string;
  write(lines: readonly Line[]): Buffer;
  /** Something that is counted and means nothing. */
  readonly blank: Buffer;
  /** Takes what was sent, for what results leave out, and the bytes of an answer as they come. */
  createReader(sent: ReadonlyMap<unknown, Line>): (bytes: Buffer) => ResultLine[];
}

export const ndjsonForm: Form = {
  name: 'NDJSON',
  mediaType: streamMediaTypes.ndjson,
  write: (lines) => Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join('')),
  blank: Buffer.from('\n'),
  createReader() {
    let rest = Buffer.alloc(0);
    return (bytes) => {
      const all = Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(0x0a) + 1;
      rest = all.subarray(end);
      const texts = all.toString('utf8', 0, end).split('\n').slice(0, -1);
      return texts.map((text) => JSON.parse(text));
    };
  },
};

export const framesForm: Form = {
  name: 'frames',
  mediaType: streamMediaTypes.frames,
  write: (lines) => Buffer.concat(lines.map((each) => frameOf(membersOf(each)))),
  blank: Buffer.alloc(4),
  createReader(sent) {
    let rest = Buffer.alloc(0);
    return (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      const lines: ResultLine[] = [];
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const end = 4 + rest.readUInt32BE(0);
        lines.push(resultLine(unpackr.unpack(rest.subarray(4, end)), sent));
        rest = rest.subarray(end);
      }
      return lines;
    };
  },
};

export const forms: readonly Form[] = [ndjsonForm, framesForm];

const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true });
const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' });
const targetTypes = ['instance', 'source'];
const sourceTypes = ['gameround', 'deposit', 'bet', 'other'];
/** No word has this number. */
const noWord = 9;

export function packed(value: unknown): Buffer {
  return Buffer.from(packr.pack(value));
}

/** A frame of any value. */
export function frameOf(value: unknown): Buffer {
  return framed(packed(value));
}

/** A frame of any bytes. */
export function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
}

const placeOf = (words: readonly string[], word: unknown) =>
  words.includes(word as string) ? words.indexOf(word as string) : noWord;
const jsonOf = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));

/** The members of a line by their places, good or bad, without empty ones at the end. */
export function membersOf(line: Line): unknown[] {
  const { ref, target, source, operator_id, player, base_wager, metadata, event_metadata, options } =
    line as ResultLine;
  const { callback, bonus } = options ?? {};
  const members = [
    ref,
    placeOf(targetTypes, target?.type),
    target?.id,
    operator_id,
    player?.brand_id,
    player?.id,
    player?.token,
    player?.country,
    source?.id,
    base_wager?.value,
    base_wager?.currency,
    options?.idempotency_key,
    jsonOf(metadata),
    source?.type === 'gameround' ? undefined : placeOf(sourceTypes, source?.type),
    player?.segments,
    options?.vertical_id,
    options?.game_code,
    options?.game_category,
    options?.allow_linked_contributions,
    callback == null ? undefined : [callback.web_hook, callback.win_result_only],
    bonus == null ? undefined : [bonus.bonus_id, bonus.amount, bonus.currency],
    jsonOf(event_metadata),
  ];
  while (members.length > 11 && members.at(-1) == null) members.pop();
  return members;
}

/** A frame of the answer as a line would say it. */
function resultLine(frame: readonly unknown[], sent: ReadonlyMap<unknown, Line>): ResultLine {
  const [kind, ref, ...rest] = frame as [number, unknown, ...never[]];
  if (kind === 0) {
    const [timestamp, replayed, results] = rest as unknown as [number, boolean, readonly unknown[][]];
    const of = sent.get(ref) ?? {};
    const lines = results.map((result) => resultOf(result, timestamp, of));
    return { ref, results: lines, ...(replayed ? { replayed } : {}) };
  }
  if (kind === 1) {
    const [timestamp, replayed, id] = rest as unknown as [number, boolean, Uint8Array];
    const hex = Buffer.from(id).toString('hex');
    const contribution_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return { ref, results: [], contribution_id, timestamp, ...(replayed ? { replayed } : {}) };
  }
  const [line, status_code, code, message, retryAfter] = rest as readonly unknown[];
  return {
    ref,
    ...(ref === null ? { line } : {}),
    error: { status_code, code, message },
    ...(retryAfter === null ? {} : { retry_after: retryAfter }),
    ...(kind === 3 ? { end: true } : {}),
  };
}

function resultOf(result: readonly unknown[], timestamp: number, sent: Line): unknown {
  const [instance_id, amount, bonus, tickets_awarded, win, own = timestamp] = result as [
    string,
    string,
    string,
    number,
    unknown,
    number?,
  ];
  const [winAmount, pot, withheld] = (win ?? ['0', null, false]) as [string, string | null, boolean];
  const { source, base_wager, metadata } = sent as {
    readonly source?: { readonly id: string };
    readonly base_wager?: { readonly currency: string };
    readonly metadata?: unknown;
  };
  return {
    instance_id,
    timestamp: own,
    gameround_id: source?.id,
    win_amount: Number(winAmount),
    win_pot_id: pot,
    tickets_awarded,
    win_withheld: withheld,
    contribution_currency: base_wager?.currency,
    contribution_amount: Number(amount),
    bonus_amount_used: Number(bonus),
    metadata: metadata ?? null,
  };
}
