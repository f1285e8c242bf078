import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DirectoryEntry } from '../../src/contracts/directory/directory.ts';
import { ReadModel } from '../../src/directory/read-model.ts';
import type { Command } from '../../src/messages/commands.ts';
import { isReadModelEvent } from '../../src/messages/events.ts';
import type { OptIn } from '../../src/messages/player-commands.ts';
import { contribution, createInstance, openEpoch, setBrand, setStatus } from '../jackpot/support/commands.ts';
import { startMs, TestLane } from '../jackpot/support/lane.ts';
import { onePot } from '../jackpot/support/scenario.ts';

/**
 * The lane resolves contributions, the read model resolves lookups: two pieces of code, of one rule. Both are compared with
 * a third one that is written down as the rule is said, over random bindings, segments, brands and countries.
 */

const brands = ['op:a', 'op:b', 'foe:a'] as const;
const instanceIds = ['i1', 'i2', 'i3', 'i4', 'i5', 'i6'] as const;
const segmentIds = ['s1', 's2', 's3'] as const;
const source = 'slot';

interface Instance {
  readonly id: string;
  readonly owner: string;
  readonly group: string;
  readonly status: 'Active' | 'Pending' | 'Paused';
  readonly allowed: readonly string[] | null;
  readonly blackList: readonly string[];
  readonly whiteList: readonly string[];
  readonly optInRequired: boolean;
  readonly optedIn: boolean;
  readonly ended: boolean;
}
interface List {
  readonly of: 'source' | 'segment';
  readonly owner: string;
  readonly id: string;
  readonly segmentPriority: number;
  readonly bindings: readonly { readonly instance: string; readonly priority: number }[];
}
interface Situation {
  readonly instances: readonly Instance[];
  readonly lists: readonly List[];
  readonly group: string;
}
interface Caller {
  readonly brand: string;
  readonly segments: readonly string[];
  readonly country: string;
}

const countries = fc.subarray(['DE', 'DE-BY', 'FR', 'US-NJ'], { maxLength: 2 });
const small = fc.integer({ min: 0, max: 2 });
const instance = (optIns: boolean): fc.Arbitrary<Instance> =>
  fc.record({
    id: fc.constantFrom(...instanceIds),
    owner: fc.constantFrom('op', 'op', 'op:a', 'op:b', 'foe'),
    group: fc.constantFrom('op', 'op', 'op:x'),
    status: fc.constantFrom('Active', 'Active', 'Active', 'Pending', 'Paused'),
    allowed: fc.option(fc.subarray([...brands], { minLength: 1 })),
    blackList: countries,
    whiteList: fc.oneof(fc.constant([]), countries),
    optInRequired: optIns ? fc.boolean() : fc.constant(false),
    optedIn: optIns ? fc.boolean() : fc.constant(false),
    ended: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  });
const list: fc.Arbitrary<List> = fc
  .record({
    of: fc.constantFrom('source', 'segment'),
    owner: fc.constantFrom('op', 'op:a', 'op:b'),
    segment: fc.constantFrom(...segmentIds),
    segmentPriority: small,
    bindings: fc.uniqueArray(fc.record({ instance: fc.constantFrom(...instanceIds), priority: small }), {
      selector: (binding) => binding.instance,
      maxLength: 4,
    }),
  })
  .map(({ segment, ...fields }) => ({ ...fields, id: fields.of === 'source' ? source : segment }));
const situation = (optIns: boolean): fc.Arbitrary<Situation> =>
  fc.record({
    instances: fc.uniqueArray(instance(optIns), { selector: (each) => each.id, minLength: 1 }),
    lists: fc.uniqueArray(list, {
      selector: ({ of, owner, id }) => `${of} ${owner} ${id}`,
      minLength: 1,
      maxLength: 8,
    }),
    group: fc.constantFrom('op', 'op', 'op:x'),
  });
const callers: fc.Arbitrary<readonly Caller[]> = fc.array(
  fc.record({
    brand: fc.constantFrom('op:a', 'op:b'),
    segments: fc.array(fc.constantFrom(...segmentIds, 'unknown'), { maxLength: 4 }),
    country: fc.constantFrom('DE', 'DE-BY', 'FR', 'US-NJ'),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('lane and read model', () => {
  it('choose as the rule says, and the same where no opt-in is asked for', () => {
    fc.assert(
      fc.property(situation(false), callers, (made, asked) => {
        const { lane, readModel } = build(made);
        for (const caller of asked) {
          const chosen = reached(lane, made, caller);
          expect(chosen).toBe(byTheRule(made, caller, ['Active'], true));
          const shown = lookedUp(readModel, lane, caller);
          expect(shown).toBe(byTheRule(made, caller, ['Active', 'Pending', 'Paused'], false));
          if (chosen !== null) expect(shown).toBe(chosen);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('differ by opt-ins only: contributions fall through, lookups do not', () => {
    fc.assert(
      fc.property(situation(true), callers, (made, asked) => {
        const { lane, readModel } = build(made);
        for (const caller of asked) {
          expect(reached(lane, made, caller)).toBe(byTheRule(made, caller, ['Active'], true));
          expect(lookedUp(readModel, lane, caller)).toBe(
            byTheRule(made, caller, ['Active', 'Pending', 'Paused'], false),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are given situations in which segments, brands and groups decide', () => {
    const seen = new Set<string>();
    for (const made of fc.sample(situation(false), { numRuns: 400, seed: 1 })) {
      for (const brand of ['op:a', 'op:b']) {
        const plain = { brand, segments: [], country: 'DE' };
        const chosen = byTheRule(made, plain, ['Active'], true);
        const withSegments = byTheRule(made, { ...plain, segments: segmentIds }, ['Active'], true);
        const other = made.group === 'op' ? 'op:x' : 'op';
        const elsewhere = byTheRule(
          { ...made, group: other },
          { ...plain, segments: segmentIds },
          ['Active'],
          true,
        );
        if (chosen !== null) seen.add('found');
        if (chosen !== withSegments) seen.add('segments');
        if (withSegments !== elsewhere) seen.add('groups');
        if (chosen !== byTheRule(made, { ...plain, country: 'FR' }, ['Active'], true)) seen.add('countries');
        if (
          chosen !==
          byTheRule(made, { ...plain, brand: brand === 'op:a' ? 'op:b' : 'op:a' }, ['Active'], true)
        )
          seen.add('brands');
      }
    }
    expect([...seen].sort()).toEqual(['brands', 'countries', 'found', 'groups', 'segments']);
  });
});

/** docs/rules/contributions.md "Resolve", word by word. */
function byTheRule(
  { instances, lists, group }: Situation,
  { brand, segments, country }: Caller,
  statuses: readonly string[],
  optInMatters: boolean,
): string | null {
  const owners = [brand, 'op'];
  const bound = (of: List['of'], isMeant: (list: List) => boolean) =>
    lists
      .filter((each) => each.of === of && isMeant(each))
      .flatMap(({ owner, segmentPriority, bindings }) =>
        bindings.map((binding) => ({ ...binding, owner, segmentPriority })),
      );
  const ofSegments = bound(
    'segment',
    (each) => owners.includes(each.owner) && segments.includes(each.id),
  ).sort(
    (a, b) =>
      a.segmentPriority - b.segmentPriority ||
      a.priority - b.priority ||
      owners.indexOf(a.owner) - owners.indexOf(b.owner) ||
      a.instance.localeCompare(b.instance),
  );
  const ofSource = owners.flatMap((owner) =>
    bound('source', (each) => each.owner === owner).sort(
      (a, b) => a.priority - b.priority || a.instance.localeCompare(b.instance),
    ),
  );
  const known = (from: readonly { readonly instance: string }[]) =>
    from.flatMap((binding) => instances.filter((each) => each.id === binding.instance));
  const candidates = [...known(ofSegments).filter((each) => each.group === group), ...known(ofSource)];
  const covers = (filters: readonly string[]) =>
    filters.some((filter) => country === filter || country.split('-')[0] === filter);
  const fitting = candidates.filter((each) => {
    const allowed =
      each.allowed?.includes(brand) ?? (each.owner === brand || brand.split(':')[0] === each.owner);
    if (!allowed || each.ended || covers(each.blackList)) return false;
    if (each.whiteList.length > 0 && !covers(each.whiteList)) return false;
    return !optInMatters || !each.optInRequired || each.optedIn;
  });
  for (const status of statuses) {
    const found = fitting.find((each) => each.status === status);
    if (found !== undefined) return found.id;
  }
  return null;
}

function reached(lane: TestLane, { group }: Situation, { brand, segments, country }: Caller): string | null {
  const target = { type: 'source', id: source, ...(group === 'op' ? {} : { group }) } as const;
  const command = contribution({ target, brand, segments, country, player: 'p1' });
  const [outcome] = lane.apply(command).outcomes;
  if (outcome?.kind === 'Contributed') return outcome.results[0]!.instance;
  expect(outcome).toMatchObject({ kind: 'Refused', code: 'jackpot_not_found' });
  return null;
}

function lookedUp(readModel: ReadModel, lane: TestLane, { brand, segments, country }: Caller): string | null {
  const found = readModel.jackpotForSource({ brand, source, segments, country }, lane.nowMs);
  return found?.description.instance ?? null;
}

/** The lane by its commands, the read model by the directory's entries and by what the lane tells of each message. */
function build({ instances, lists, group }: Situation): { lane: TestLane; readModel: ReadModel } {
  const lane = new TestLane();
  const readModel = furnished(lists, group);
  const apply = (...commands: readonly Command[]): void => {
    const { outcomes, events } = lane.apply(...commands);
    expect(outcomes.filter((outcome) => outcome.kind === 'Refused')).toEqual([]);
    const sequence = lane.engine.appliedSequence;
    readModel.laneEvents(0, sequence, events.filter(isReadModelEvent));
    const allLiveValues = [...lane.engine.instances()].map((id) => lane.engine.liveValues(id)!);
    readModel.laneLiveValues(0, sequence, allLiveValues);
  };
  for (const path of brands) apply(setBrand({ brand: path }));
  for (const each of instances) {
    const rules = {
      opt_in_required: each.optInRequired,
      country_filters: { black_list: each.blackList, white_list: each.whiteList },
      ...(each.allowed === null ? {} : { allowed_brands: each.allowed }),
    };
    const { id, owner } = each;
    const timestampEndMs = each.ended ? startMs + 1_000 : null;
    apply(createInstance(onePot({}, rules), { instance: id, owner, group: each.group, timestampEndMs }));
    apply(openEpoch(id, 0, [0, 1, 2]));
    if (each.status !== 'Pending') apply(setStatus('Active', id));
    for (const brand of each.optedIn ? (['op:a', 'op:b'] as const) : [])
      if (mayOptIn(each, brand)) apply(optIn(id, brand));
    if (each.status === 'Paused') apply(setStatus('Paused', id));
  }
  for (const { of, owner, id, segmentPriority, bindings } of lists) {
    if (of === 'segment') apply({ kind: 'SetSegment', owner, segment: id, priority: segmentPriority });
    for (const { instance: bound, priority } of bindings) {
      if (instances.some((each) => each.id === bound))
        apply({ kind: 'Bind', of, owner, ids: [id], instance: bound, priority });
    }
  }
  // What has an end is over now.
  lane.nowMs = startMs + 2_000;
  return { lane, readModel };
}

function mayOptIn({ owner, allowed }: Instance, brand: string): boolean {
  return allowed?.includes(brand) ?? (owner === brand || brand.split(':')[0] === owner);
}

function optIn(id: string, brand: string): OptIn {
  return {
    kind: 'OptIn',
    instance: id,
    brand,
    player: 'p1',
    country: '',
    optIn: true,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: 'test',
  };
}

/** The directory's part: brands, the source of all owners, segments, and the source's group. */
function furnished(lists: readonly List[], group: string): ReadModel {
  const readModel = new ReadModel(1);
  let revision = 0;
  const set = (entry: object): void => {
    revision += 1;
    readModel.directoryChanged({ kind: 'set', entry: entry as DirectoryEntry }, revision);
  };
  const common = { name: 'n', created_timestamp: 1, enabled: true };
  for (const id of ['op', 'foe']) set({ ...common, kind: 'operator', id });
  for (const path of brands) set({ ...common, kind: 'brand', path, salt: '', wallet: false });
  set({ ...common, kind: 'source', owner: 'op', id: source });
  if (group !== 'op') set({ kind: 'sourcegroup', operator: 'op', source, group, brands: {} });
  for (const { of, owner, id, segmentPriority } of lists)
    if (of === 'segment')
      set({ ...common, kind: 'segment', owner, id, priority: segmentPriority, group: '' });
  return readModel;
}
