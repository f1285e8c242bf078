import type { Scenario } from '../campaign/scenario.ts';
import { clusterFaults } from './cluster.ts';
import { kills } from './kills.ts';
import { stops } from './stops.ts';

export const scenarios: readonly Scenario[] = [...kills, ...stops, ...clusterFaults];
