import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { retainedTrails, type SeenTrail } from '../../audit/witnessed.ts';
import type { TableExtent } from '../../ports.ts';
import type { Acceptance, WitnessedHead } from '../ports/witness.ts';

export interface WitnessedTable {
  readonly system: string;
  readonly table: string;
  readonly revision: number;
  /** Absent in lines of earlier releases. */
  readonly keys?: number | undefined;
  readonly atMs: number;
}

export interface WitnessedTrail extends SeenTrail {
  readonly system: string;
  readonly trail: typeof trailName;
}

/** The audit trail, in lines of a witness. */
export const trailName = 'AUDIT';

export type WitnessLine = WitnessedHead | WitnessedTable | WitnessedTrail | Acceptance;

const system = z.string();
const atMs = z.number();
const shape = z.union([
  z.strictObject({ system, lane: z.int(), sequence: z.int(), head: z.string(), atMs }),
  z.strictObject({ system, table: z.string(), revision: z.int(), keys: z.int().optional(), atMs }),
  z.strictObject({
    system,
    trail: z.literal(trailName),
    first: z.int(),
    last: z.int(),
    lastMs: z.number(),
    head: z.string(),
    atMs,
  }),
  z.strictObject({ accepted: z.string(), by: z.string(), reason: z.string(), atMs }),
]);

/** `<CRC-32 of the JSON> <JSON>`. */
export function formatLine(line: WitnessLine): string {
  const json = JSON.stringify(line);
  return `${checksum(json)} ${json}\n`;
}

/** Lines that were torn by a crash or damaged since say nothing. */
export function parseLines(text: string): WitnessLine[] {
  return text
    .replaceAll('\0', '')
    .split('\n')
    .flatMap((each) => {
      const json = each.slice(9).trimEnd();
      if (each.slice(0, 9) !== `${checksum(json)} `) return [];
      const parsed = shape.safeParse(JSON.parse(json));
      return parsed.success ? [parsed.data] : [];
    });
}

/** The heads of a lane that count, by sequence. */
export function headsOf(lines: readonly WitnessLine[], lane: number): WitnessedHead[] {
  const afterMs = lastAcceptance(lines, String(lane))?.atMs ?? Number.NEGATIVE_INFINITY;
  return lines
    .filter((line) => 'lane' in line)
    .filter((line) => line.lane === lane && line.atMs > afterMs)
    .sort((a, b) => a.sequence - b.sequence);
}

/** The highest revision of a table that counts, and the most keys; zeros: there are none. */
export function extentOf(lines: readonly WitnessLine[], table: string): TableExtent {
  const afterMs = lastAcceptance(lines, table)?.atMs ?? Number.NEGATIVE_INFINITY;
  const counting = lines
    .filter((line) => 'table' in line)
    .filter((line) => line.table === table && line.atMs > afterMs);
  return {
    revision: Math.max(0, ...counting.map(({ revision }) => revision)),
    keys: Math.max(0, ...counting.map(({ keys = 0 }) => keys)),
  };
}

/** The audit trail as it was seen and counts, by time. */
export function trailsOf(lines: readonly WitnessLine[]): WitnessedTrail[] {
  const afterMs = lastAcceptance(lines, trailName)?.atMs ?? Number.NEGATIVE_INFINITY;
  return lines
    .filter((line) => 'trail' in line)
    .filter((line) => line.atMs > afterMs)
    .sort((a, b) => a.atMs - b.atMs);
}

export function lastAcceptance(lines: readonly WitnessLine[], accepted: string): Acceptance | null {
  const all = lines.filter((line) => 'accepted' in line).filter((line) => line.accepted === accepted);
  return all.reduce<Acceptance | null>((last, each) => (each.atMs >= (last?.atMs ?? 0) ? each : last), null);
}

const dayMs = 86_400_000;
const newestRetained = 8;
const daysRetained = 40;
const acceptancesRetained = 256;

/** Lines to keep: a lane's newest, the newest of each day for longer than the log, the audit trail's. */
export function compacted(lines: readonly WitnessLine[], nowMs: number): WitnessLine[] {
  const acceptances = lines.filter((line) => 'accepted' in line).slice(-acceptancesRetained);
  const lanes = new Set(lines.flatMap((line) => ('lane' in line ? [line.lane] : [])));
  const tables = new Set(lines.flatMap((line) => ('table' in line ? [line.table] : [])));
  const heads = [...lanes].flatMap((lane) => retainedHeads(headsOf(lines, lane), nowMs));
  const revisions = [...tables].flatMap((table) => {
    const extent = extentOf(lines, table);
    const line = lines.findLast(
      (each) => 'table' in each && each.table === table && each.revision === extent.revision,
    );
    return line === undefined ? [] : [{ ...line, ...extent }];
  });
  return [...acceptances, ...heads, ...revisions, ...retainedTrails(trailsOf(lines))];
}

function retainedHeads(heads: readonly WitnessedHead[], nowMs: number): WitnessedHead[] {
  const newestOfDay = new Map<number, WitnessedHead>();
  for (const head of heads) newestOfDay.set(Math.floor(head.atMs / dayMs), head);
  const recent = new Set(heads.slice(-newestRetained));
  return heads.filter(
    (head) =>
      recent.has(head) ||
      (newestOfDay.get(Math.floor(head.atMs / dayMs)) === head && nowMs - head.atMs <= daysRetained * dayMs),
  );
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
