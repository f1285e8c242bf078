import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { DeliveryField, DeliveryKind } from '../../contracts/payments/delivery.ts';
import type {
  DeliveryFilter,
  DeliveryPosition,
  DeliveryQuestion,
} from '../../contracts/payments/delivery-questions.ts';
import type { KnownDelivery } from '../stored/stored-deliveries.ts';

type List = Extract<DeliveryQuestion, { kind: 'list' }>;

/** A part of a list, and how many there are in all of it. */
interface Slice {
  readonly found: readonly KnownDelivery[];
  readonly total: number;
}

/** The next deliveries after a place in the order of a list: one pass, with a few slices in memory. */
export function sliceOf(known: readonly Iterable<KnownDelivery>[], list: List): Slice {
  const { filter, field, direction, after, limit } = list;
  const order = (a: KnownDelivery, b: KnownDelivery): number =>
    direction * compare(positionOf(a, field), positionOf(b, field));
  let slice: KnownDelivery[] = [];
  let last: KnownDelivery | null = null;
  let total = 0;
  for (const each of allOf(known)) {
    if (!matches(each, filter)) continue;
    total += 1;
    if (last !== null && order(each, last) >= 0) continue;
    if (after !== null && direction * compare(positionOf(each, field), after) <= 0) continue;
    slice.push(each);
    if (slice.length < 4 * limit) continue;
    slice = slice.sort(order).slice(0, limit);
    last = slice.at(-1) ?? null;
  }
  return { found: slice.sort(order).slice(0, limit), total };
}

function* allOf(known: readonly Iterable<KnownDelivery>[]): Iterable<KnownDelivery> {
  for (const each of known) yield* each;
}

/** The kind of a delivery as administrators know it. */
export function deliveryKind({ kind }: KnownDelivery): DeliveryKind {
  if (kind === 'ReceiverBacklog') return 'backlog';
  if (kind === 'Event') return 'event';
  return kind === 'DiversionFlush' ? 'flush' : 'callback';
}

function positionOf({ id, createdMs, nextMs }: KnownDelivery, field: DeliveryField): DeliveryPosition {
  return { value: field === 'created_timestamp' ? createdMs : nextMs, id };
}

function compare(a: DeliveryPosition, b: DeliveryPosition): number {
  if (a.value !== b.value) return a.value - b.value;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function matches(known: KnownDelivery, filter: DeliveryFilter): boolean {
  const { owner, instance, state } = known;
  const { states, kinds, owners } = filter;
  if (states.length > 0 && !states.includes(state)) return false;
  if (kinds.length > 0 && !kinds.includes(deliveryKind(known))) return false;
  if (filter.instance !== '' && filter.instance !== instance) return false;
  if (filter.owner !== '' && !covers(filter.owner, owner)) return false;
  if (filter.brand !== '' && filter.brand !== owner) return false;
  return owners.length === 0 || owners.some((each) => covers(each, owner));
}

/** An operator stands for its brands. */
function covers(holder: string, owner: string): boolean {
  return holder === owner || holder === operatorOf(owner);
}
