import type { HostRecord, HostRecordRow } from './host-record.ts';

/** What a host of the system says of itself, as far as upgrades are concerned. */
export type UpgradingHost = Pick<HostRecord, 'engine' | 'lanes'>;

interface UpgradeFacts {
  readonly lane: number;
  readonly version: number;
  /** No instance was ever created in it: no version can stop it, so it waits for no other lane. */
  readonly isEmpty: boolean;
  /** This host, and every other whose record is not gone: one that failed may come back. */
  readonly hosts: readonly UpgradingHost[];
  /** An administrator paused upgrades beyond this version; null: none did. */
  readonly maxVersion: number | null;
}

/**
 * The version to which the lane's owner takes it now; null: to none (docs/decisions/0360). Every host runs
 * the next version, no lane has halted, and the lanes before this one have it already: so they are upgraded
 * one after another, and a version that stops a lane stops that one alone. A new lane gets its versions
 * before anything else is in it.
 */
export function nextVersion({ lane, version, isEmpty, hosts, maxVersion }: UpgradeFacts): number | null {
  const next = version + 1;
  if (maxVersion !== null && next > maxVersion) return null;
  if (!hosts.every(({ engine }) => engine.oldest <= next && next <= engine.newest)) return null;
  if (isEmpty) return next;
  const rows = hosts.flatMap(({ lanes }) => lanes);
  if (rows.some(({ duty }) => duty === 'h')) return null;
  for (let before = 0; before < lane; before += 1) {
    const owner = rows.find((row) => row.lane === before && row.duty === 'o');
    if (owner === undefined || owner.engineVersion < next) return null;
  }
  return next;
}

/** The highest version of the engine that a lane of these hosts has. */
export function highestVersion(hosts: Iterable<readonly HostRecordRow[]>): number {
  let highest = 0;
  for (const rows of hosts) for (const row of rows) highest = Math.max(highest, row.engineVersion);
  return highest;
}
