import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PlacedHost, placeLanes } from '../../../src/contracts/lanes/place-lanes.ts';
import '../../support/same-cases.ts';

const lanes = 16;
const host: fc.Arbitrary<PlacedHost> = fc.record({
  id: fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  isSettled: fc.boolean(),
  isLeaving: fc.boolean(),
});
const hosts = fc.uniqueArray(host, { selector: ({ id }) => id, maxLength: 16 });
const noPins: ReadonlyMap<number, string> = new Map();
const up = (id: string): PlacedHost => ({ id, isSettled: true, isLeaving: false });

test('owner and standby are different live hosts, and everybody computes the same, whatever the order', () => {
  fc.assert(
    fc.property(hosts, (live) => {
      const placed = placeLanes(lanes, live, noPins);
      expect(placeLanes(lanes, live.toReversed(), noPins)).toEqual(placed);
      const ids = new Set(live.map(({ id }) => id));
      for (const { owner, standby } of placed) {
        expect(owner !== null).toBe(live.length > 0);
        expect(standby !== null).toBe(live.length > 1);
        if (owner !== null) expect(ids).toContain(owner);
        if (standby !== null) expect(ids).toContain(standby);
        if (standby !== null) expect(standby).not.toBe(owner);
      }
    }),
  );
});

test('a host that leaves moves its own lanes only, and the standby becomes the owner', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        host.map(({ id }) => up(id)),
        { selector: ({ id }) => id, minLength: 2, maxLength: 16 },
      ),
      (live) => {
        const [gone, ...left] = live as [PlacedHost, ...PlacedHost[]];
        const before = placeLanes(lanes, live, noPins);
        const after = placeLanes(lanes, left, noPins);
        for (let lane = 0; lane < lanes; lane += 1) {
          const wasOwner = before[lane]!.owner === gone.id;
          expect(after[lane]!.owner).toBe(wasOwner ? before[lane]!.standby : before[lane]!.owner);
          if (!wasOwner && before[lane]!.standby !== gone.id) expect(after[lane]).toEqual(before[lane]);
        }
      },
    ),
  );
});

test('a leaving or unsettled host owns a lane only where nobody else can', () => {
  fc.assert(
    fc.property(hosts, (live) => {
      const fit = live.filter(({ isSettled, isLeaving }) => isSettled && !isLeaving);
      const staying = live.filter(({ isLeaving }) => !isLeaving);
      for (const { owner, standby } of placeLanes(lanes, live, noPins)) {
        if (owner === null) continue;
        if (fit.length > 0) expect(fit.map(({ id }) => id)).toContain(owner);
        else if (staying.length > 0) expect(staying.map(({ id }) => id)).toContain(owner);
        if (staying.length > 1) expect(staying.map(({ id }) => id)).toContain(standby);
      }
    }),
  );
});

test('a pin names the owner while its host lives and stays; otherwise it changes nothing', () => {
  fc.assert(
    fc.property(hosts, fc.nat(lanes - 1), fc.nat(15), (live, lane, index) => {
      const pinned = live[index % Math.max(1, live.length)] ?? up('elsewhere');
      const without = placeLanes(lanes, live, noPins);
      const placed = placeLanes(lanes, live, new Map([[lane, pinned.id]]));
      if (live.includes(pinned) && !pinned.isLeaving) {
        expect(placed[lane]!.owner).toBe(pinned.id);
        expect(placed[lane]!.standby).not.toBe(pinned.id);
      } else expect(placed[lane]).toEqual(without[lane]);
      expect(placed.toSpliced(lane, 1)).toEqual(without.toSpliced(lane, 1));
    }),
  );
});

test('four hosts share a thousand lanes about evenly', () => {
  const owned = new Map<string, number>();
  const live = ['a-1', 'a-2', 'a-3', 'a-4'].map(up);
  for (const { owner } of placeLanes(1000, live, noPins)) owned.set(owner!, (owned.get(owner!) ?? 0) + 1);
  for (const { id } of live) {
    expect(owned.get(id)).toBeGreaterThan(190);
    expect(owned.get(id)).toBeLessThan(310);
  }
});
