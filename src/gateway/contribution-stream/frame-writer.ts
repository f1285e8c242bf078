import { formatAmount } from '../../lib/money.ts';
import type { ContributionOutcome } from '../../messages/outcomes.ts';
import type { AnswerForm, Applied } from '../contribution/answer-form.ts';
import type { PublicError } from '../errors.ts';
import type { Ref, ResultWriter } from './framing.ts';
import {
  array16,
  bin8,
  fixArray,
  fixText,
  maxFixInteger,
  nil,
  no,
  text8,
  text16,
  uint8,
  uint16,
  uint32,
  uint64,
  yes,
} from './message-pack.ts';

/** What a frame of the answer says; its first member. */
const kinds = { applied: 0, accepted: 1, refused: 2, last: 3 } as const;

/** An applied contribution of a key that was met before. */
class Replay {
  readonly first: Applied;

  constructor(first: Applied) {
    this.first = first;
  }
}

/** A stored contribution with a callback. */
class Acceptance {
  readonly contributionId: Uint8Array;
  readonly timestampMs: number;
  readonly isReplay: boolean;

  constructor(contributionId: Uint8Array, timestampMs: number, isReplay: boolean) {
    this.contributionId = contributionId;
    this.timestampMs = timestampMs;
    this.isReplay = isReplay;
  }
}

const form: AnswerForm<Applied | Replay | Acceptance> = {
  contributed: (applied) => applied,
  repeated: (first) => new Replay(first),
  accepted: ({ contributionId }, timestampMs, isRepeated) =>
    new Acceptance(contributionId, timestampMs, isRepeated),
};

const headBytes = 4;
/** The most that a frame takes beside its texts, and one of its results with them. */
const frameBytes = 64;
const resultBytes = 336;
/** Of a character in UTF-8, and of the head of a text. */
const maxCharacterBytes = 3;
const textHeadBytes = 3;
const keptBytes = 32 * 1024;
const nothing = Buffer.alloc(0);

/** Results as frames of MessagePack (docs/rules/contribution-frames.md "Results"). Milliseconds are numbers, amounts decimal texts. */
export class FrameWriter implements ResultWriter {
  readonly form = form;
  #bytes: Buffer = nothing;
  #at = 0;
  /** Where the head of the frame at hand is. */
  #head = 0;

  result(ref: Ref, answer: unknown): void {
    if (answer instanceof Acceptance) this.#accepted(ref, answer);
    else if (answer instanceof Replay) this.#applied(ref, answer.first, true);
    else this.#applied(ref, answer as Applied, false);
  }

  error(ref: Ref, line: number, error: PublicError): void {
    this.#refused(kinds.refused, ref, line, error);
  }

  last(line: number, error: PublicError): void {
    this.#refused(kinds.last, null, line, error);
  }

  take(): Buffer | null {
    if (this.#at === 0) return null;
    // A copy of its own size: it waits for its reader, and this room is used again.
    const taken = Buffer.allocUnsafeSlow(this.#at);
    this.#bytes.copy(taken, 0, 0, this.#at);
    this.#at = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = nothing;
    return taken;
  }

  #applied(ref: Ref, { results, timestampMs }: Applied, isReplay: boolean): void {
    this.#begin(kinds.applied, 5, ref, resultBytes * results.length);
    const mainMs = results[0]?.timestampMs ?? timestampMs;
    this.#whole(mainMs);
    this.#flag(isReplay);
    this.#array(results.length);
    for (let index = 0; index < results.length; index += 1) {
      const result = results[index]!;
      const resultMs = result.timestampMs ?? timestampMs;
      this.#resultOf(result, resultMs === mainMs ? null : resultMs);
    }
    this.#end();
  }

  /** `timestampMs` null: that of the frame. */
  #resultOf(result: ContributionOutcome, timestampMs: number | null): void {
    const { instance, requestAtoms, bonusAtoms, tickets, win } = result;
    this.#array(timestampMs === null ? 5 : 6);
    this.#text(instance);
    this.#amount(requestAtoms);
    this.#amount(bonusAtoms);
    this.#whole(tickets);
    if (win === null) {
      this.#byte(nil);
    } else {
      this.#array(3);
      this.#amount(win.amountAtoms);
      this.#text(win.pot);
      this.#flag(win.withheld);
    }
    if (timestampMs !== null) this.#whole(timestampMs);
  }

  #accepted(ref: Ref, { contributionId, timestampMs, isReplay }: Acceptance): void {
    this.#begin(kinds.accepted, 5, ref, 2 + contributionId.length);
    this.#whole(timestampMs);
    this.#flag(isReplay);
    this.#byte(bin8);
    this.#byte(contributionId.length);
    this.#bytes.set(contributionId, this.#at);
    this.#at += contributionId.length;
    this.#end();
  }

  #refused(kind: number, ref: Ref, line: number, error: PublicError): void {
    const { code, message, status, retryAfterSeconds } = error;
    this.#begin(kind, 7, ref, roomOf(code) + roomOf(message));
    this.#whole(line);
    this.#whole(status);
    this.#text(code);
    this.#text(message);
    if (retryAfterSeconds === null) this.#byte(nil);
    else this.#whole(retryAfterSeconds);
    this.#end();
  }

  #begin(kind: number, members: number, ref: Ref, room: number): void {
    this.#require(frameBytes + roomOf(ref) + room);
    this.#head = this.#at;
    this.#at += headBytes;
    this.#array(members);
    this.#byte(kind);
    if (typeof ref === 'string') this.#text(ref);
    else if (ref === null) this.#byte(nil);
    else this.#whole(ref);
  }

  #end(): void {
    this.#bytes.writeUInt32BE(this.#at - this.#head - headBytes, this.#head);
  }

  #require(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + more, 1_024));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #byte(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  #flag(value: boolean): void {
    this.#byte(value ? yes : no);
  }

  #array(length: number): void {
    if (length < 16) {
      this.#byte(fixArray | length);
      return;
    }
    this.#byte(array16);
    this.#at = this.#bytes.writeUInt16BE(length, this.#at);
  }

  /** From 0 to 2^53 − 1, in the shortest form. */
  #whole(value: number): void {
    if (value <= maxFixInteger) this.#byte(value);
    else if (value <= 0xff) {
      this.#byte(uint8);
      this.#byte(value);
    } else if (value <= 0xffff) {
      this.#byte(uint16);
      this.#at = this.#bytes.writeUInt16BE(value, this.#at);
    } else if (value <= 0xffff_ffff) {
      this.#byte(uint32);
      this.#at = this.#bytes.writeUInt32BE(value, this.#at);
    } else {
      this.#byte(uint64);
      this.#at = this.#bytes.writeUInt32BE(Math.floor(value / 2 ** 32), this.#at);
      this.#at = this.#bytes.writeUInt32BE(value % 2 ** 32, this.#at);
    }
  }

  #amount(atoms: bigint): void {
    if (atoms === 0n) {
      this.#byte(fixText | 1);
      this.#byte(0x30);
    } else this.#text(formatAmount(atoms));
  }

  #text(text: string): void {
    const { length } = text;
    const bytes = this.#bytes;
    const head = this.#at;
    const from = head + (length < 32 ? 1 : 2);
    if (length <= 0xff) {
      let index = 0;
      for (; index < length; index += 1) {
        const code = text.charCodeAt(index);
        if (code > 0x7f) break;
        bytes[from + index] = code;
      }
      if (index === length) {
        if (length < 32) bytes[head] = fixText | length;
        else {
          bytes[head] = text8;
          bytes[head + 1] = length;
        }
        this.#at = from + length;
        return;
      }
    }
    this.#longText(text);
  }

  #longText(text: string): void {
    const size = this.#bytes.write(text, this.#at + textHeadBytes, 'utf8');
    this.#bytes[this.#at] = text16;
    this.#bytes.writeUInt16BE(size, this.#at + 1);
    this.#at += textHeadBytes + size;
  }
}

/** The most that a text takes. */
function roomOf(text: Ref): number {
  return typeof text === 'string' ? textHeadBytes + maxCharacterBytes * text.length : 0;
}
