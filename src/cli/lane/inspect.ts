import { Quarantines } from '../../actors/replica/quarantines.ts';
import { toHex } from '../../lib/bytes.ts';
import { sha256 } from '../../lib/hashes.ts';
import { decodeCommandBatch } from '../../messages/codec/codec.ts';
import { heartbeats, type LaneSystem } from '../system/lane-system.ts';

const maxBytesShown = 512;

interface InspectedMessage {
  readonly lane: number;
  readonly sequence: number;
  readonly channel: string;
  readonly stored: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The beginning of it, hexadecimal. */
  readonly begins: string;
  /** null: it cannot be read; `fault` says why. */
  readonly message: unknown;
  readonly fault: string | null;
  /** Whether its outcome is stored; then it cannot be quarantined any more. */
  readonly emitted: boolean;
  readonly quarantined: { readonly user: string; readonly reason: string } | null;
  /** Why the lane halted at this message; null: it did not. */
  readonly halt: string | null;
}

/** A stored message. `sequence` null: the one at which the lane halted, else the first without an outcome. */
export async function inspectMessage(
  { log, bus }: LaneSystem,
  lane: number,
  sequence: number | null,
): Promise<InspectedMessage | null> {
  const beat = (await heartbeats(bus, (known) => known.has(lane))).get(lane);
  const stoppedAt = beat?.condition === 'stopped' ? beat.appliedSequence + 1 : null;
  const lastOutcome = await log.lastOutcome(lane);
  const wanted = sequence ?? stoppedAt ?? lastOutcome + 1;
  // Messages count from 1; nats-server calls a question for 0 an empty request.
  const stored = wanted === 0 ? null : await log.readCommand(lane, wanted);
  if (stored === null) return null;
  const quarantine = (await Quarantines.read(log, lane)).of(stored);
  return {
    lane,
    sequence: wanted,
    channel: stored.channel,
    stored: new Date(stored.timestampMs).toISOString(),
    bytes: stored.bytes.length,
    sha256: toHex(sha256(stored.bytes)),
    begins: toHex(stored.bytes.slice(0, maxBytesShown)),
    ...decoded(stored.bytes),
    emitted: lastOutcome >= wanted,
    quarantined: quarantine === null ? null : { user: quarantine.user, reason: quarantine.reason },
    halt: stoppedAt === wanted ? (beat?.code ?? null) : null,
  };
}

/** As JSON: bytes in hexadecimal, amounts in atoms as text. */
export function inspectedText(message: InspectedMessage): string {
  return JSON.stringify(message, (_, value) => plain(value), 2);
}

function decoded(bytes: Uint8Array): { readonly message: unknown; readonly fault: string | null } {
  try {
    return { message: decodeCommandBatch(bytes), fault: null };
  } catch (error) {
    const { message, cause } = error as Error;
    return { message: null, fault: cause instanceof Error ? `${message} ${cause.message}` : message };
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? toHex(value) : value;
}
