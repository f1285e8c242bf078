import type { HostRecord } from '../../actors/placement/host-record.ts';
import { maxVersionKey, maxVersionOf } from '../../actors/placement/overrides.ts';
import type { Settings } from '../../config/settings.ts';
import { type LaneSystem, withLaneSystem } from '../system/lane-system.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { order } from './run.ts';
import { engineVersionOf, readHosts } from './shards.ts';

/** What `potstream upgrade` shows. */
export interface UpgradeReport {
  /** The version of each lane, from lane 0; null: no host announces the lane as its own. */
  readonly lanes: readonly (number | null)[];
  readonly hosts: readonly { readonly host: string; readonly oldest: number; readonly newest: number }[];
  /** Upgrades are paused: no lane goes beyond it. null: they are not. */
  readonly max_version: number | null;
  /** The newest version that every host runs, or the one at which upgrades are paused. */
  readonly target: number;
  /** Hosts that do not run the newest version of the others. */
  readonly waits_for: readonly string[];
  /** Lanes that have halted somewhere: no lane is upgraded meanwhile. */
  readonly halted: readonly number[];
}

interface UpgradeChoices {
  /** null: only show. */
  readonly order: 'pause' | 'resume' | null;
  readonly reason: string | null;
  readonly json: boolean;
}

/** `potstream upgrade`: 0 if every lane has the newest version that any host runs, otherwise 1. */
export function upgradeCommand(
  settings: Settings,
  { order: change, reason, json }: UpgradeChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    if (change !== null && !(await orderUpgrades(system, change, reason, print))) return 1;
    const report = await readUpgrade(system);
    write(json ? `${JSON.stringify(report, null, 2)}\n` : `${upgradeLines(report).join('\n')}\n`);
    return change !== null || isDone(report) ? 0 : 1;
  });
}

/** What KV HOSTS and KV PLACEMENT say of engine versions now. */
export async function readUpgrade({ log, lanes }: LaneSystem): Promise<UpgradeReport> {
  const [hosts, present] = await Promise.all([
    log.table('HOSTS').then(readHosts),
    log.table('PLACEMENT').then((table) => table.get(maxVersionKey)),
  ]);
  return reportOf(lanes, hosts, present === null ? null : maxVersionOf(present.value));
}

/** The report of these records. */
function reportOf(
  lanes: number,
  hosts: ReadonlyMap<string, HostRecord>,
  maxVersion: number | null,
): UpgradeReport {
  const ranges = [...hosts].map(([host, { engine }]) => ({ host, ...engine }));
  const newest = Math.max(0, ...ranges.map((range) => range.newest));
  const common = Math.min(newest, ...ranges.map((range) => range.newest));
  const halted = [...hosts.values()].flatMap(({ lanes: rows }) =>
    rows.flatMap(({ lane, duty }) => (duty === 'h' ? [lane] : [])),
  );
  return {
    lanes: Array.from({ length: lanes }, (_, lane) => engineVersionOf(lane, hosts.values())),
    hosts: ranges,
    max_version: maxVersion,
    target: maxVersion === null ? common : Math.min(common, maxVersion),
    waits_for: ranges.filter((range) => range.newest < newest).map(({ host }) => host),
    halted: [...new Set(halted)].sort((a, b) => a - b),
  };
}

/** One line for each host and each lane, and the reasons to wait. */
function upgradeLines(report: UpgradeReport): string[] {
  const { lanes, hosts, max_version, target, waits_for, halted } = report;
  const waiting = lanes.flatMap((version, lane) => (version !== null && version < target ? [lane] : []));
  return [
    ...hosts.map(({ host, oldest, newest }) =>
      oldest === newest ? `${host} runs version ${newest}` : `${host} runs versions ${oldest} to ${newest}`,
    ),
    ...lanes.map((version, lane) =>
      version === null ? `lane ${lane}: no owner` : `lane ${lane}: version ${version}`,
    ),
    ...(waits_for.length === 0 ? [] : [`An upgrade waits for newer software on ${waits_for.join(', ')}.`]),
    ...(max_version === null
      ? []
      : [`Upgrades are paused at version ${max_version}: see "potstream upgrade --resume".`]),
    ...(halted.length === 0 ? [] : [`Upgrades wait for halted lanes: ${halted.join(', ')}.`]),
    ...(waiting.length === 0 ? [] : [`Lanes on their way to version ${target}: ${waiting.join(', ')}.`]),
  ];
}

function isDone({ lanes, hosts }: UpgradeReport): boolean {
  return lanes.every((version) => version !== null && hosts.every(({ newest }) => newest <= version));
}

/** A pause is at the highest version of any lane: what has begun is finished. false: not written. */
async function orderUpgrades(
  system: LaneSystem,
  change: 'pause' | 'resume',
  reason: string | null,
  print: (line: string) => void,
): Promise<boolean> {
  const { lanes } = await readUpgrade(system);
  const highest = Math.max(1, ...lanes.filter((version) => version !== null));
  const value = change === 'pause' ? String(highest) : null;
  const entry = { operation: `upgrade.${change}`, object: 'engine', reason, input: { max_version: value } };
  if (!(await order(system, entry, maxVersionKey, value, print))) return false;
  print(
    change === 'pause'
      ? `No lane is upgraded beyond version ${highest} until "potstream upgrade --resume".`
      : 'Lanes may be upgraded.',
  );
  return true;
}
