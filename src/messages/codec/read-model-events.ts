import { isReadModelEvent, type ReadModelEvent } from '../events.ts';
import type { CreditRecord } from '../settlements.ts';
import { decodeWith, storedPayload, unpackValue } from './frame.ts';
import { laneEvent } from './outcomes.ts';

/** What of a stored OUT record read models take in. */
interface RecordedChanges {
  readonly sequence: number;
  readonly events: readonly ReadModelEvent[];
  /** Credits whose state has changed. */
  readonly credits: readonly CreditRecord[];
}

/** Places in a record: of its sequence, of its events, and how many values it has at least. */
const sequencePlace = 0;
const eventsPlace = 5;
const recordMembers = 7;

/** Tags of events that read models skip and that may fill a record: a thousand shares of a win. */
const unreadTags: ReadonlySet<number> = new Set([5, 30, 31]);

const fixArray = 0x90;
const array16 = 0xdc;
const array32 = 0xdd;

/**
 * Reads the events of a record that read models take in, and unpacks nothing else: each gateway follows the
 * records of all operators.
 * @throws LogError `corrupt`, `unsupported`
 */
export function decodeRecordedChanges(frame: Uint8Array): RecordedChanges {
  const payload = storedPayload(frame);
  return decodeWith('outcome record', payload, () => {
    const cursor = new Cursor(payload);
    if (cursor.arrayLength() < recordMembers) throw new TypeError('an outcome record is too short');
    const sequence = cursor.value();
    if (typeof sequence !== 'number') throw new TypeError('an outcome record has no sequence');
    for (let place = sequencePlace + 1; place < eventsPlace; place++) cursor.skip();
    const events: ReadModelEvent[] = [];
    const credits: CreditRecord[] = [];
    for (let left = cursor.arrayLength(); left > 0; left--) {
      if (unreadTags.has(cursor.tag())) cursor.skip();
      else {
        const event = laneEvent.unpack(cursor.value());
        if (isReadModelEvent(event)) events.push(event);
        if (event.kind === 'PayoutChanged') credits.push(event.credit);
      }
    }
    return { sequence, events, credits };
  });
}

/** A place in MessagePack bytes. Reading beyond their end throws. */
class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The number of an array's values; the cursor is at the first of them. */
  arrayLength(): number {
    const type = this.#byte();
    if ((type & 0xf0) === fixArray) return type & 0x0f;
    if (type === array16) return this.#length(2);
    if (type === array32) return this.#length(4);
    throw new TypeError('not an array');
  }

  /** The tag of the union at the cursor, which stays there. */
  tag(): number {
    const before = this.#at;
    this.arrayLength();
    const tag = this.#byte();
    this.#at = before;
    return tag;
  }

  value(): unknown {
    const from = this.#at;
    this.skip();
    return unpackValue(this.#bytes.subarray(from, this.#at));
  }

  /** Steps over a value with all that is in it. */
  skip(): void {
    for (let left = 1; left > 0; left--) {
      const type = this.#byte();
      if (type <= 0x7f || type >= 0xe0) continue;
      if (type <= 0x8f) left += 2 * (type & 0x0f);
      else if (type <= 0x9f) left += type & 0x0f;
      else if (type <= 0xbf) this.#at += type & 0x1f;
      else left += this.#skipLong(type);
    }
    if (this.#at > this.#bytes.length) throw new RangeError('a value goes behind the end');
  }

  /**
   * Steps over a value whose type has a byte for itself. Returns how many values that belong to it follow.
   */
  #skipLong(type: number): number {
    const form = longForms.get(type);
    if (form === undefined) throw new TypeError('an unknown type of MessagePack');
    const { lengthBytes, fixedBytes, values } = form;
    const length = lengthBytes === 0 ? 0 : this.#length(lengthBytes);
    this.#at += fixedBytes + (values === 0 ? length : 0);
    return values * length;
  }

  #length(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (bytes === 1) return this.#view.getUint8(at);
    return bytes === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #byte(): number {
    return this.#view.getUint8(this.#at++);
  }
}

interface LongForm {
  /** Bytes of the length that follows the type. */
  readonly lengthBytes: number;
  /** Bytes of its content beside those that the length counts. */
  readonly fixedBytes: number;
  /** How many values each unit of the length is; 0: it counts bytes. */
  readonly values: number;
}

const longForms: ReadonlyMap<number, LongForm> = new Map([
  ...fixed([0xc0, 0xc2, 0xc3], 0),
  ...sized([0xc4, 0xc5, 0xc6], 0, 0),
  // Extensions have a byte of type before their content.
  ...sized([0xc7, 0xc8, 0xc9], 1, 0),
  ...fixed([0xca], 4),
  ...fixed([0xcb], 8),
  ...[0xcc, 0xd0].flatMap((first) => [1, 2, 4, 8].flatMap((bytes, index) => fixed([first + index], bytes))),
  ...[1, 2, 4, 8, 16].flatMap((bytes, index) => fixed([0xd4 + index], 1 + bytes)),
  ...sized([0xd9, 0xda, 0xdb], 0, 0),
  ...[array16, array32].flatMap((type, index): [number, LongForm][] => [
    [type, { lengthBytes: 2 + 2 * index, fixedBytes: 0, values: 1 }],
    [type + 2, { lengthBytes: 2 + 2 * index, fixedBytes: 0, values: 2 }],
  ]),
]);

function fixed(types: readonly number[], fixedBytes: number): [number, LongForm][] {
  return types.map((type) => [type, { lengthBytes: 0, fixedBytes, values: 0 }]);
}

/** Types whose length takes one, two and four bytes. */
function sized(types: readonly number[], fixedBytes: number, values: number): [number, LongForm][] {
  return types.map((type, index) => [type, { lengthBytes: [1, 2, 4][index]!, fixedBytes, values }]);
}
