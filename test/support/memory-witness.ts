import type { Witness } from '../../src/actors/witness/witness.ts';
import {
  headsOf,
  lastAcceptance,
  revisionOf,
  type WitnessLine,
} from '../../src/actors/witness/witness-lines.ts';

/** The witness of one machine, in memory: it outlives the machine's processes. */
export class MemoryWitness implements Witness {
  readonly system = 'simulated';
  readonly lines: WitnessLine[] = [];

  heads = (lane: number) => headsOf(this.lines, lane);
  acceptance = (lane: number) => lastAcceptance(this.lines, String(lane));
  revision = (table: string) => revisionOf(this.lines, table);
  seen: Witness['seen'] = (head) => void this.lines.push({ system: this.system, ...head });
  seenTable: Witness['seenTable'] = (table, revision, atMs) =>
    void this.lines.push({ system: this.system, table, revision, atMs });
  written = async () => {};
}
