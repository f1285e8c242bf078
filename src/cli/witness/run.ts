import { userInfo } from 'node:os';
import { witnessedTables } from '../../actors/witness/table-witness.ts';
import { appendEverywhere, readWitness } from '../../actors/witness/witness-files.ts';
import { compacted, trailName } from '../../actors/witness/witness-lines.ts';
import type { Settings } from '../../config/settings.ts';
import { systemClock } from '../../wiring.ts';

/** `potstream witness show`. */
export async function showWitness(settings: Settings, write: (line: string) => void): Promise<void> {
  const lines = compacted(await readWitness(placesOf(settings)), systemClock.nowMs());
  for (const line of lines.sort((a, b) => a.atMs - b.atMs)) write(JSON.stringify(line));
}

/** `potstream witness accept`: gives the exit code. */
export async function acceptWitness(
  settings: Settings,
  accepted: string,
  { reason, by = userInfo().username }: { readonly reason: string; readonly by?: string },
  print: (line: string) => void,
): Promise<number> {
  const names: readonly string[] = [...witnessedTables, trailName];
  const isLane = /^(?:0|[1-9][0-9]{0,3})$/.test(accepted) && Number(accepted) < settings.lanes;
  if (!isLane && !names.includes(accepted)) {
    print(
      `${accepted} is neither a lane of this system (0 to ${settings.lanes - 1}) nor one of ${names.join(', ')}.`,
    );
    return 2;
  }
  const places = placesOf(settings);
  // Lines of a clock that was set back since are accepted too.
  const newestMs = (await readWitness(places)).reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const atMs = Math.max(systemClock.nowMs(), newestMs);
  await appendEverywhere(places, { accepted, by, reason, atMs });
  const what = isLane
    ? `The log of lane ${accepted}`
    : accepted === trailName
      ? 'The audit trail'
      : `KV ${accepted}`;
  const next = isLane ? 'Restart the actors; they remove snapshots of the other log.' : 'Restart the actors.';
  print(`${what} is accepted as it is, by ${by}: ${reason}. ${next}`);
  return 0;
}

export function placesOf(settings: Settings): { dataDirectory: string; secondDirectory: string | null } {
  return { dataDirectory: settings.hostDirectory, secondDirectory: settings.witnessDirectory };
}
