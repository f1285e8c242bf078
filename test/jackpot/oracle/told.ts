import type { OracleInstance } from './instance.ts';
import { canonical } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import type { Json } from './rules.ts';

/** docs/decisions/0062: what a message's events and work count for, in bytes. */

const sizes = {
  status: 4_096,
  optIn: 4_096,
  payout: 4_096,
  tickets: 512,
  epoch: 256,
  debit: 1_024,
  credit: 2_048,
  batch: 512,
  flush: 4_096,
} as const;

interface Named {
  readonly brand: string;
  readonly name: string;
}

export function announce(lane: OracleLane, what: keyof typeof sizes): void {
  lane.announced += sizes[what];
}

export function announceInstance(lane: OracleLane, { document, pending }: OracleInstance): void {
  lane.announced += 16_384 + 2 * (lengthOf(document) + (pending === null ? 0 : lengthOf(pending)));
}

export function announceBindings(lane: OracleLane, count: number): void {
  lane.announced += 1_024 + 96 * count;
}

export function tellHeader(lane: OracleLane, header: Json): void {
  lane.announced += sizes.epoch + Buffer.byteLength(canonical(header));
}

export function tellWin(lane: OracleLane, gameround: string, metadata: string, all: readonly Named[]): void {
  lane.announced += 256 + Buffer.byteLength(gameround) + Buffer.byteLength(metadata) + named(all);
}

export function announcePrizes(lane: OracleLane, all: readonly Named[]): void {
  lane.announced += 512 + named(all);
}

/** Nothing more is taken in the message at hand. */
export function isFull({ announced, settings }: OracleLane): boolean {
  return settings.maximumMessageBytes !== undefined && announced >= settings.maximumMessageBytes;
}

function named(all: readonly Named[]): number {
  const each = ({ brand, name }: Named) => 96 + Buffer.byteLength(brand) + Buffer.byteLength(name);
  return all.reduce((sum, one) => sum + each(one), 0);
}

function lengthOf(document: Json): number {
  return Buffer.byteLength(JSON.stringify(document));
}
