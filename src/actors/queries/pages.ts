import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { utf8Length } from '../../lib/bytes.ts';
import type { LaneQueryAnswer } from '../../messages/queries.ts';
import type {
  BindingList,
  EpochRecord,
  InstanceDescription,
  LiveValues,
  OptInStatusRecord,
  PackedInstance,
} from '../../messages/records.ts';
import type { SettlementRecord } from '../../messages/settlements.ts';
import { PackedConfigurations } from './packed-configurations.ts';

/** What one answer holds at most; `bytes` is half of what a message of the bus may have. */
export const pageLimits = {
  instances: 200,
  bindingLists: 1000,
  records: 500,
  ids: 200,
  bytes: 512 * 1024,
} as const;

/** Its header apart; what a text and any other value take beside a text's characters. */
const epochBytes = 256;
const textBytes = 5;
const numberBytes = 20;
/** The numbers of an instance, its head, its status and where it was switched to; the numbers of a pot. */
const factsBytes = 20 * numberBytes + 3 * 64;
const potBytes = 13 * numberBytes;

/** Shared by all lanes of the process. */
const packedConfigurations = new PackedConfigurations();

type Checked = { readonly faults: readonly string[]; readonly warnings: readonly string[] };
type Answer<K extends LaneQueryAnswer['kind']> = Extract<LaneQueryAnswer, { kind: K }>;
type Described = { readonly description: InstanceDescription; readonly liveValues: LiveValues };

/** Instances first, then binding lists, from the place `offset` of both together on. */
export function statePage(engine: LaneEngine, offset: number): Answer<'state'> {
  const ids = [...engine.instances()];
  const lists = [...engine.bindings()];
  const room = { bytes: pageLimits.bytes };
  const instances = fitting(described(engine, ids.slice(offset)), pageLimits.instances, room, sizeOfState);
  const firstList = Math.max(0, offset - ids.length);
  const complete = offset + instances.length >= ids.length;
  const bindings = complete ? fitting(lists.slice(firstList), pageLimits.bindingLists, room, sizeOfList) : [];
  return {
    kind: 'state',
    sequence: engine.appliedSequence,
    total: ids.length + lists.length,
    next: offset + instances.length + bindings.length,
    instances,
    bindings,
  };
}

/** Leaves out instances that the lane does not have; `answered` says how far in the list the answer goes. */
export function instancesAnswer(engine: LaneEngine, ids: readonly string[]): Answer<'instances'> {
  const looked = ids.slice(0, pageLimits.ids).map((id) => engine.describe(id));
  const room = { bytes: pageLimits.bytes };
  const fit = fitting(looked, pageLimits.ids, room, sizeBound);
  return {
    kind: 'instances',
    sequence: engine.appliedSequence,
    answered: fit.length,
    instances: fit.filter((found) => found !== null),
  };
}

/** As instancesAnswer; a configuration is encoded once for all instances and answers that have it. */
export function packedInstancesAnswer(
  engine: LaneEngine,
  ids: readonly string[],
): Answer<'packed_instances'> {
  const places = new Map<Uint8Array, number>();
  const instances: PackedInstance[] = [];
  const room = { bytes: pageLimits.bytes };
  let answered = 0;
  for (const id of ids.slice(0, pageLimits.ids)) {
    const described = engine.describe(id);
    if (described !== null) {
      const { configuration: document, pendingConfiguration: _, ...facts } = described;
      const bytes = packedConfigurations.of(document);
      const known = places.get(bytes);
      const configuration = known ?? places.size;
      room.bytes -= sizeOfFacts(facts) + (known === undefined ? bytes.length : 0);
      if (room.bytes < 0 && answered > 0) break;
      places.set(bytes, configuration);
      instances.push({ ...facts, configuration });
    }
    answered += 1;
  }
  return {
    kind: 'packed_instances',
    sequence: engine.appliedSequence,
    answered,
    configurations: [...places.keys()],
    instances,
  };
}

export function optInsAnswer(
  statuses: readonly OptInStatusRecord[],
  rows: readonly number[],
  total?: number,
): Answer<'opt_ins'> {
  const room = { bytes: pageLimits.bytes };
  const fit = fitting(statuses, pageLimits.records, room, sizeOfStatus);
  const more = fit.length < statuses.length;
  return { kind: 'opt_ins', statuses: fit, more, rows: rows.slice(0, fit.length), total };
}

/** By number, from the one following `after` on. */
export function epochsAnswer(all: readonly EpochRecord[], after: number): Answer<'epochs'> {
  const epochs = all.filter(({ epoch }) => epoch > after);
  const room = { bytes: pageLimits.bytes };
  const fit = fitting(epochs, pageLimits.records, room, ({ header }) => epochBytes + utf8Length(header));
  return { kind: 'epochs', epochs: fit, more: fit.length < epochs.length };
}

/** Every fault that fits, and the number of the others. */
export function checkAnswer({ faults, warnings }: Checked): Answer<'check_configuration'> {
  const room = { bytes: pageLimits.bytes / 2 };
  const fit = fitting(faults, faults.length, room, (fault) => 8 + utf8Length(fault));
  const left = faults.length - fit.length;
  return {
    kind: 'check_configuration',
    faults: left === 0 ? faults : [...fit, `and ${left} more`],
    warnings,
  };
}

/** Records of numbers and short texts: the first ones that fit. Who reads on names the last one it has. */
export function fittingRecords<T extends object>(records: readonly T[]): readonly T[] {
  return fitting(records, pageLimits.records, { bytes: pageLimits.bytes }, sizeOfRecord);
}

/** As many debits and credits as fit. */
export function settlementsAnswer(found: readonly SettlementRecord[]): Answer<'settlements'> {
  const room = { bytes: pageLimits.bytes };
  const settlements = fitting(found, pageLimits.records, room, (each) =>
    sizeOfRecord(each.kind === 'debit' ? each.debit : each.credit),
  );
  return { kind: 'settlements', settlements, more: settlements.length < found.length };
}

function sizeOfRecord(record: object): number {
  let bytes = 0;
  for (const value of Object.values(record)) {
    bytes += typeof value === 'string' ? textBytes + utf8Length(value) : numberBytes;
  }
  return bytes;
}

function* described(engine: LaneEngine, ids: readonly string[]): Iterable<Described> {
  for (const id of ids) {
    const description = engine.describe(id);
    const liveValues = engine.liveValues(id);
    if (description !== null && liveValues !== null) yield { description, liveValues };
  }
}

function fitting<T>(
  items: Iterable<T>,
  max: number,
  room: { bytes: number },
  sizeOf: (item: T) => number,
): T[] {
  const fit: T[] = [];
  for (const item of items) {
    room.bytes -= sizeOf(item);
    if (fit.length >= max || (room.bytes < 0 && fit.length > 0)) break;
    fit.push(item);
  }
  return fit;
}

/** Live values repeat a part of their description. */
function sizeOfState({ description }: Described): number {
  return 2 * sizeBound(description);
}

/** As sizeBound of a description without its configuration, without a look at its numbers. */
function sizeOfFacts({ links, pots, ...facts }: Omit<PackedInstance, 'configuration'>): number {
  const { instance, group, owner, templateOwner, template, name, description, gameCode } = facts;
  let bytes = factsBytes;
  for (const text of [instance, group, owner, templateOwner, template, name, description, gameCode])
    bytes += textBytes + utf8Length(text);
  for (const link of links) bytes += textBytes + utf8Length(link);
  for (const { pot } of pots) bytes += potBytes + textBytes + utf8Length(pot);
  return bytes;
}

/** No value takes more as bytes; encoding it to see would cost as much as the answer. */
function sizeBound(value: unknown): number {
  if (typeof value === 'string') return textBytes + utf8Length(value);
  if (typeof value !== 'object' || value === null) return numberBytes;
  if (value instanceof Uint8Array) return textBytes + value.length;
  let bytes = textBytes;
  if (Array.isArray(value)) for (const item of value) bytes += sizeBound(item);
  else
    for (const [name, member] of Object.entries(value))
      bytes += textBytes + utf8Length(name) + sizeBound(member);
  return bytes;
}

function sizeOfList({ owner, id, bindings }: BindingList): number {
  return 32 + 3 * (owner.length + id.length) + 80 * bindings.length;
}

function sizeOfStatus({ player, preferences, pots }: OptInStatusRecord): number {
  return 256 + 3 * player.length + 24 * preferences.length + 96 * pots.length;
}
