import type { Scenario } from '../campaign/scenario.ts';
import { clocks } from './clocks.ts';
import { clusterFaults } from './cluster.ts';
import { damages } from './damage.ts';
import { fullDisks } from './full-disk.ts';
import { kills } from './kills.ts';
import { oldBackups } from './old-backup.ts';
import { partitions } from './partitions.ts';
import { powerCuts } from './power-cut.ts';
import { stops } from './stops.ts';

/** Those that show what a system must live through, with bounds for its gaps: a kill, a lost leader, a pause, a partition. */
export const tableNames: readonly string[] = [
  ...['kill-owner', 'kill-actors', 'kill-nats-leader'],
  ...[...stops, ...partitions].map(({ name }) => name),
];

export const scenarios: readonly Scenario[] = [
  ...kills,
  ...powerCuts,
  ...stops,
  ...clusterFaults,
  ...partitions,
  ...fullDisks,
  ...damages,
  ...oldBackups,
  ...clocks,
];
