import { Gauge, type Registry } from 'prom-client';
import type { ArchiveState } from './archiver.ts';

const rows: readonly [name: string, help: string, value: (archive: ArchiveState) => number][] = [
  ['archived_sequence', 'Last message of the lane that is archived.', ({ archivedTo }) => archivedTo],
  ['archive_bytes', 'Bytes of the segments of the lane, compressed.', ({ storedBytes }) => storedBytes],
  ['archive_segments', 'Segments of the lane in the archive.', ({ segments }) => segments],
  [
    'archive_behind_seconds',
    'Age of the oldest message that is not archived.',
    ({ behindMs }) => behindMs / 1000,
  ],
  ['first_kept_sequence', 'First message that the command stream still has.', ({ firstKept }) => firstKept],
];

/** Gauges of the archive of the lanes that this host owns. */
export function addArchiveGauges(registers: Registry[], archives: () => readonly ArchiveState[]): void {
  for (const [name, help, value] of rows) {
    new Gauge({
      name: `potstream_actors_${name}`,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        this.reset();
        for (const archive of archives()) this.set({ lane: archive.lane }, value(archive));
      },
    });
  }
}
