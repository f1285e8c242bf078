import { parseMetadata } from '../body/parse.ts';
import { PublicError } from '../errors.ts';
import type { Named, Ref } from './framing.ts';
import { type Leaf, ValueReader } from './message-pack.ts';
import { refOf } from './ref.ts';

/** Members of a frame, by place (docs/rules/contribution-frames.md "Contributions"). */
const requiredMembers = 11;
const maxMembers = 22;
const maxElements = 256;
const targetTypes = ['instance', 'source'] as const;
const sourceTypes = ['gameround', 'deposit', 'bet', 'other'] as const;

type Member = Leaf | readonly Leaf[];

/** The name of a frame's contribution, whatever comes behind it; null: it has no good one. */
export function frameRef(frame: Buffer): Ref {
  try {
    const values = new ValueReader(frame);
    return values.arrayLength() < 1 ? null : refOf({ ref: values.leaf() });
  } catch {
    return null;
  }
}

/**
 * The body of O16 that a frame stands for, as if it had come as JSON: whatever a frame may hold is judged by the same shape and gets the
 * same errors. Names the line first.
 * @throws PublicError
 */
export function frameBody(frame: Buffer, line: Named): unknown {
  const values = new ValueReader(frame);
  const count = values.arrayLength();
  if (count < 1 || count > maxMembers) throw misshapen();
  const members: Member[] = [];
  for (let place = 0; place < count; place += 1) {
    members.push(memberOf(values));
    if (place === 0) line.ref = refOf({ ref: members[0] });
  }
  if (!values.ended) throw misshapen();
  if (count < requiredMembers) throw misshapen();
  return bodyOf(members);
}

function memberOf(values: ValueReader): Member {
  const count = values.arrayLength();
  if (count < 0) return values.leaf();
  if (count > maxElements) throw misshapen();
  const elements: Leaf[] = [];
  while (elements.length < count) elements.push(values.leaf());
  return elements;
}

function bodyOf(members: readonly Member[]): unknown {
  const [ref, targetType, targetId, operator, brand, player, token, country, source, wager, currency] =
    members;
  const [key, metadataText, sourceType, segments, vertical, gameCode, gameCategory, linked, ...rest] =
    members.slice(requiredMembers);
  const [callback, bonus, eventMetadataText] = rest;
  return {
    ref,
    target: { type: wordOf(targetTypes, targetType), id: targetId },
    source: { type: sourceType == null ? 'gameround' : wordOf(sourceTypes, sourceType), id: source },
    operator_id: operator,
    player: { id: player, token, country, brand_id: brand, segments },
    base_wager: { currency, value: amountOf(wager) },
    metadata: jsonOf(metadataText),
    event_metadata: jsonOf(eventMetadataText),
    options: {
      vertical_id: vertical,
      game_code: gameCode,
      game_category: gameCategory,
      allow_linked_contributions: linked,
      callback: Array.isArray(callback) ? callbackOf(callback) : callback,
      idempotency_key: key,
      bonus: Array.isArray(bonus) ? bonusOf(bonus) : bonus,
    },
  };
}

/** A number names the word; what else it may be, the shape refuses. */
function wordOf(words: readonly string[], member: Member | undefined): unknown {
  return typeof member === 'number' ? (words[member] ?? null) : null;
}

function callbackOf(elements: readonly Leaf[]): unknown {
  if (elements.length > 2) throw misshapen();
  return { web_hook: elements[0], win_result_only: elements[1] };
}

function bonusOf(elements: readonly Leaf[]): unknown {
  if (elements.length > 3) throw misshapen();
  return { bonus_id: elements[0], amount: amountOf(elements[1]), currency: elements[2] };
}

/** A number is read as a double, as in JSON. */
function amountOf(member: Member | undefined): unknown {
  return typeof member === 'bigint' ? Number(member) : member;
}

function jsonOf(member: Member | undefined): unknown {
  if (member === undefined || member === null) return undefined;
  if (typeof member !== 'string')
    throw new PublicError('invalid_request', 'Metadata of a frame is a JSON text.');
  return parseMetadata(member);
}

function misshapen(): PublicError {
  return new PublicError('invalid_request', 'The frame is not an array of 11 to 22 members.');
}
