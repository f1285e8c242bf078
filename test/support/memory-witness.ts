import type { Witness } from '../../src/actors/ports/witness.ts';
import {
  extentOf,
  headsOf,
  lastAcceptance,
  trailName,
  trailsOf,
  type WitnessLine,
} from '../../src/actors/witness/witness-lines.ts';

/** The witness of one machine, in memory: it outlives the machine's processes. */
export class MemoryWitness implements Witness {
  readonly system = 'simulated';
  readonly lines: WitnessLine[] = [];

  heads = (lane: number) => headsOf(this.lines, lane);
  acceptance = (lane: number) => lastAcceptance(this.lines, String(lane));
  table = (table: string) => extentOf(this.lines, table);
  seen: Witness['seen'] = (head) => void this.lines.push({ system: this.system, ...head });
  seenTable: Witness['seenTable'] = (table, extent, atMs) =>
    void this.lines.push({ system: this.system, table, ...extent, atMs });
  trails = () => trailsOf(this.lines);
  trailAcceptance = () => lastAcceptance(this.lines, trailName);
  seenTrail: Witness['seenTrail'] = (seen) =>
    void this.lines.push({ system: this.system, trail: trailName, ...seen });
  soon = (show: () => void) => show();
  written = async () => {};
}
