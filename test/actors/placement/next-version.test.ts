import { describe, expect, it } from 'vitest';
import {
  decodeHostRecord,
  encodeHostRecord,
  type HostRecordRow,
} from '../../../src/actors/placement/host-record.ts';
import {
  highestVersion,
  nextVersion,
  type UpgradingHost,
} from '../../../src/actors/placement/next-version.ts';

const row = (lane: number, duty: HostRecordRow['duty'], engineVersion: number): HostRecordRow => ({
  lane,
  duty,
  term: 1,
  appliedSequence: 7,
  engineVersion,
});
const host = (newest: number, ...lanes: readonly HostRecordRow[]): UpgradingHost => ({
  engine: { oldest: 1, newest },
  lanes,
});
const next = (
  lane: number,
  version: number,
  hosts: readonly UpgradingHost[],
  maxVersion: number | null = null,
  isEmpty = false,
) => nextVersion({ lane, version, isEmpty, hosts, maxVersion });

describe('the next version of a lane', () => {
  it('is one above its own, once every host runs that', () => {
    expect(next(0, 1, [host(2, row(0, 'o', 1)), host(2, row(0, 'w', 1))])).toBe(2);
    expect(next(0, 1, [host(4, row(0, 'o', 1)), host(3, row(0, 'w', 1))])).toBe(2);
    expect(next(0, 2, [host(4, row(0, 'o', 2)), host(3, row(0, 'w', 2))])).toBe(3);
    expect(next(0, 3, [host(4, row(0, 'o', 3)), host(3, row(0, 'w', 3))])).toBeNull();
  });

  it('waits for every host: the owner, its standby, one without lanes', () => {
    expect(next(0, 1, [host(1, row(0, 'o', 1)), host(2, row(0, 'w', 1))])).toBeNull();
    expect(next(0, 1, [host(2, row(0, 'o', 1)), host(1, row(0, 'w', 1))])).toBeNull();
    expect(next(0, 1, [host(2, row(0, 'o', 1)), host(1)])).toBeNull();
  });

  it('waits where a host has dropped it', () => {
    expect(next(0, 1, [host(3, row(0, 'o', 1)), { engine: { oldest: 3, newest: 3 }, lanes: [] }])).toBeNull();
  });

  it('is never one beyond an order to pause', () => {
    const hosts = [host(4, row(0, 'o', 1))];
    expect(next(0, 1, hosts, 1)).toBeNull();
    expect(next(0, 1, hosts, 2)).toBe(2);
    expect(next(0, 2, hosts, 2)).toBeNull();
    expect(next(0, 1, hosts, 0)).toBeNull();
  });

  it('comes to one lane after another', () => {
    const others = (first: HostRecordRow) => [host(2, row(1, 'o', 1)), host(2, first, row(1, 'w', 1))];
    expect(next(1, 1, others(row(0, 'o', 1)))).toBeNull();
    expect(next(1, 1, others(row(0, 'o', 2)))).toBe(2);
    // A lane that nobody owns may be the one that the version has stopped.
    expect(next(1, 1, others(row(0, 'f', 2)))).toBeNull();
    expect(next(1, 1, [host(2, row(1, 'o', 1))])).toBeNull();
  });

  it('comes at once to a lane without instances, as soon as every host runs it', () => {
    const hosts = [host(2, row(1, 'o', 1)), host(2, row(0, 'o', 1), row(1, 'w', 1))];
    expect(next(1, 1, hosts, null, true)).toBe(2);
    expect(next(1, 1, [...hosts, host(1)], null, true)).toBeNull();
    expect(next(1, 1, hosts, 1, true)).toBeNull();
  });

  it('waits while any lane is halted', () => {
    expect(next(0, 1, [host(2, row(0, 'o', 1)), host(2, row(5, 'h', 1))])).toBeNull();
  });
});

it('the highest version is that of any lane of any host', () => {
  expect(highestVersion([])).toBe(0);
  expect(highestVersion([[row(0, 'o', 1)], [row(0, 'w', 1), row(1, 'f', 3)]])).toBe(3);
});

describe('the record of a host', () => {
  const record = {
    life: 'a1',
    failures: 0,
    isSettled: true,
    isLeaving: false,
    engine: { oldest: 1, newest: 3 },
    keys: ['older', 'newer'],
    lanes: [row(4, 'o', 2)],
  };

  it('carries its versions, and those of its lanes', () => {
    expect(decodeHostRecord(encodeHostRecord(record))).toEqual(record);
  });

  it('without versions is of a host that runs the first one', () => {
    const text = '{"v":1,"life":"a1","failures":0,"settled":true,"leaving":false,"lanes":[[4,"o",1,7]]}';
    const old = { ...record, engine: { oldest: 1, newest: 1 }, keys: null, lanes: [row(4, 'o', 1)] };
    expect(decodeHostRecord(Buffer.from(text))).toEqual(old);
    const odd = text.replace('"lanes"', '"engine":["9"],"lanes"');
    expect(decodeHostRecord(Buffer.from(odd))).toEqual(old);
  });
});
