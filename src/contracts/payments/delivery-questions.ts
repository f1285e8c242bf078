import * as z from 'zod';
import { operatorOf } from '../fields/identifiers.ts';
import { deliveryFields, deliveryKinds, deliveryStates } from './delivery.ts';

/** Core NATS requests `deliveries.<lane>` to the outbox that works for the lane: JSON. */

const row = z.strictObject({
  id: z.string(),
  kind: z.enum(deliveryKinds),
  owner: z.string(),
  instance: z.string(),
  origin: z.string(),
  state: z.enum(deliveryStates),
  tries: z.int(),
  lastError: z.string(),
  lastTryMs: z.int(),
  nextMs: z.int(),
  createdMs: z.int(),
  /** The number of callbacks of a backlog, about. */
  deliveries: z.int(),
  /** The amount of a flush, in atoms. */
  amount: z.string(),
  currency: z.string(),
  /** Events and their backlogs have one; absent: it is neither. */
  subscription: z.string().optional(),
  eventType: z.string().optional(),
});
export type DeliveryRow = z.output<typeof row>;

const replay = z.strictObject({
  id: z.string(),
  fromMs: z.int(),
  toMs: z.int(),
  owners: z.array(z.string()),
  createdMs: z.int(),
  deliveries: z.int(),
  isDone: z.boolean(),
  /** Whether events are sent; absent: callbacks. */
  events: z.boolean().optional(),
});
/** One lane's part of a replay. */
export type ReplayRow = z.output<typeof replay>;

const filter = z.strictObject({
  states: z.array(z.enum(deliveryStates)),
  kinds: z.array(z.enum(deliveryKinds)),
  /** What the caller may see; empty: everything. An operator stands for its brands. */
  owners: z.array(z.string()),
  owner: z.string(),
  brand: z.string(),
  instance: z.string(),
});
export type DeliveryFilter = z.output<typeof filter>;

/** Behind this row in the order of a list. */
const position = z.strictObject({ value: z.number(), id: z.string() });
export type DeliveryPosition = z.output<typeof position>;

const question = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('list'),
    filter,
    field: z.enum(deliveryFields),
    direction: z.literal([1, -1]),
    after: position.nullable(),
    limit: z.int().min(1).max(500),
  }),
  z.strictObject({ kind: z.literal('read'), id: z.string() }),
  z.strictObject({ kind: z.literal('replay'), id: z.string() }),
  z.strictObject({
    kind: z.literal('resolve'),
    id: z.string(),
    result: z.enum(['confirmed', 'failed']),
  }),
  z.strictObject({
    kind: z.literal('replay_range'),
    id: z.string(),
    fromMs: z.int(),
    toMs: z.int(),
    /** As in a filter. */
    owners: z.array(z.string()),
    /** As of a replay. */
    events: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('replays') }),
]);
export type DeliveryQuestion = z.output<typeof question>;

const answer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rows'),
    rows: z.array(row),
    /** How many there are in all of a list. */
    total: z.int().optional(),
  }),
  /** `isRepeat`: the replay was there before it was asked for. */
  z.strictObject({ kind: z.literal('replays'), replays: z.array(replay), isRepeat: z.boolean() }),
  /** Not in this state. */
  z.strictObject({ kind: z.literal('wrong_state'), state: z.enum(deliveryStates) }),
  /** The outbox is reading what is stored, or has too much to do. */
  z.strictObject({ kind: z.literal('starting') }),
]);
export type DeliveryAnswer = z.output<typeof answer>;

/** The bytes of a question. */
export function encodeDeliveryQuestion(value: DeliveryQuestion): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** null: the message is no question. */
export function decodeDeliveryQuestion(bytes: Uint8Array): DeliveryQuestion | null {
  return parsed(question, bytes);
}

/** The bytes of an answer. */
export function encodeDeliveryAnswer(value: DeliveryAnswer): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** null: the message is no answer. */
export function decodeDeliveryAnswer(bytes: Uint8Array): DeliveryAnswer | null {
  return parsed(answer, bytes);
}

function parsed<T>(schema: z.ZodType<T>, bytes: Uint8Array): T | null {
  try {
    const result = schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** Unfinished replays of one scope. */
export const replaysWaitingOfOperator = 32;

/** Which callbacks a replay sends. `owners`: an operator stands for its brands; empty: all owners. */
interface Replay {
  readonly owners: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly events?: boolean | undefined;
}

/** The operators whose callbacks a replay sends: those of one scope have one turn. */
export function replayScope({ owners }: Pick<Replay, 'owners'>): string {
  return [...new Set(owners.map(operatorOf))].sort().join(' ');
}

/** Whether both send the same callbacks. Those of the system are no tenant's, and only meet one another. */
export function replaysOverlap(one: Replay, other: Replay): boolean {
  if ((one.events ?? false) !== (other.events ?? false)) return false;
  if (one.toMs < other.fromMs || other.toMs < one.fromMs) return false;
  if (one.owners.length === 0 || other.owners.length === 0) return one.owners.length === other.owners.length;
  const covers = (owners: readonly string[], owner: string) =>
    owners.includes(owner) || owners.includes(operatorOf(owner));
  return (
    one.owners.some((owner) => covers(other.owners, owner)) ||
    other.owners.some((owner) => covers(one.owners, owner))
  );
}
