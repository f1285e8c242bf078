import { logRetentionOf } from '../../actors/ports/actor-ports.ts';
import type { WitnessedHead } from '../../actors/ports/witness.ts';
import { asText } from '../../actors/witness/log-check.ts';
import { lostBeginning, type MayLack } from '../../actors/witness/stream-check.ts';
import { behindSeen, witnessedTables } from '../../actors/witness/table-witness.ts';
import {
  behindWitness,
  lostSinceWitness,
  requireWitnessed,
  WitnessMismatch,
} from '../../actors/witness/witness-check.ts';
import { readWitness } from '../../actors/witness/witness-files.ts';
import { extentOf, headsOf, type WitnessLine } from '../../actors/witness/witness-lines.ts';
import type { Settings } from '../../config/settings.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import { findSystemId } from '../../log/system/system-id.ts';
import { type Log, LogError, type StreamExtent } from '../../ports.ts';
import { logSettings, segmentIndex, systemClock } from '../../wiring.ts';
import { placesOf } from '../witness/run.ts';
import type { Reach } from './reach.ts';

/**
 * Compares the log with the witness of this host, and its streams with each other, by their metadata.
 * @throws Error naming what is missing.
 */
export async function examineLog(settings: Settings, reach: Reach | null): Promise<string> {
  const here = await readWitness(placesOf(settings));
  const seen = `${lanesSeen(here, settings.lanes)} of ${settings.lanes} lanes were seen here before`;
  if (reach === null) return `${seen}; not compared: nats-server is not running`;
  const log = await connectReader(logSettings(reach.settings, 'doctor'));
  try {
    const system = await findSystemId(await log.table('PLACEMENT'));
    const lines = await readWitness(
      placesOf(settings),
      system === null ? undefined : [system, ...systemsOf(here)],
    );
    const faults = await faultsOf(log, settings, lines, system ?? '');
    if (faults.length > 0) throw new Error(faults.join(' '));
    return `${seen}, and the log still has everything`;
  } finally {
    await log.close();
  }
}

async function faultsOf(
  log: Log,
  settings: Settings,
  lines: readonly WitnessLine[],
  system: string,
): Promise<string[]> {
  const faults: (string | null)[] = [];
  const index = segmentIndex(settings, log);
  // Asked only where something is gone: a system that has never archived need not have the table.
  const mayLack = async (lane: number | null): Promise<MayLack> => {
    const maxAgeMs = logRetentionOf(settings);
    if (lane === null) return { maxAgeMs };
    await index?.open();
    return { maxAgeMs, archivedTo: index?.lastSequence(lane) ?? 0 };
  };
  try {
    for (let lane = 0; lane < settings.lanes; lane += 1)
      faults.push(...(await faultsOfLane(log, lane, lines, system, mayLack)));
  } finally {
    await index?.close();
  }
  for (const table of witnessedTables)
    faults.push(behindSeen(table, await log.tableExtent(table), extentOf(lines, table)));
  return faults.filter((fault) => fault !== null);
}

async function faultsOfLane(
  log: Log,
  lane: number,
  lines: readonly WitnessLine[],
  system: string,
  mayLack: (lane: number | null) => Promise<MayLack>,
): Promise<(string | null)[]> {
  const heads = headsOf(lines, lane);
  try {
    const { commands, outcomes } = await log.extents(lane);
    const behind = behindWitness(lane, commands.lastSequence, heads);
    if (behind === null)
      await requireWitnessed(log, lane, outcomes.lastSequence, { system, heads: () => heads });
    return [behind?.message ?? null, ...(await lostBeginnings(log, lane, commands, heads, mayLack))];
  } catch (error) {
    if (error instanceof WitnessMismatch) return [error.message];
    // The stream is not there: the system has never been started, or has lost all of it.
    if (!(error instanceof LogError && error.code === 'misconfigured')) throw error;
    return [behindWitness(lane, 0, heads)?.message ?? null];
  }
}

/** What left by trimming is in the archive. */
async function lostBeginnings(
  log: Log,
  lane: number,
  commands: StreamExtent,
  heads: readonly WitnessedHead[],
  mayLack: (lane: number | null) => Promise<MayLack>,
): Promise<(string | null)[]> {
  const nowMs = systemClock.nowMs();
  const found = async (allowed: MayLack): Promise<(string | null)[]> => {
    const lost = await lostBeginning(log, lane, nowMs, allowed);
    return [lost === null ? null : asText([lost]), lostSinceWitness(commands, heads, nowMs, allowed)];
  };
  const unarchived = await found(await mayLack(null));
  return unarchived.every((fault) => fault === null) ? unarchived : found(await mayLack(lane));
}

function lanesSeen(lines: readonly WitnessLine[], lanes: number): number {
  return Array.from({ length: lanes }, (_, lane) => headsOf(lines, lane).length).filter((count) => count > 0)
    .length;
}

function systemsOf(lines: readonly WitnessLine[]): string[] {
  return [...new Set(lines.flatMap((line) => ('system' in line ? [line.system] : [])))];
}
