import { parseAtoms } from '../money/decimal.ts';

/** What the page keeps of a frame of the feed; null for frames it does not know. */
export type FeedMessage = JackpotUpdated | Won | StatusChanged | OptedIn | TicketsAwarded;

export interface JackpotUpdated {
  readonly kind: 'updated';
  readonly instanceId: string;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly currency: string;
  readonly status: string;
  readonly sources: readonly string[];
  readonly pots: readonly { readonly id: string; readonly atoms: bigint; readonly progressive: boolean }[];
  readonly head: string;
  readonly epoch: number;
}

export interface Won {
  readonly kind: 'won';
  readonly instanceId: string;
  /** The instance's event counter. */
  readonly counter: number;
  readonly timestampMs: number;
  readonly pot: string;
  readonly atoms: bigint;
  readonly currency: string;
  /** Masked by the service, unless it is the player who looks. */
  readonly player: string;
  readonly brandId: string;
  readonly cycle: number;
  /** By player, of a win from before; else the amount is what the player is shown. */
  readonly shown?: Readonly<Record<string, { readonly atoms: bigint; readonly currency: string }>>;
}

export interface StatusChanged {
  readonly kind: 'status';
  readonly instanceId: string;
  readonly counter: number;
  readonly status: string;
}

export interface OptedIn {
  readonly kind: 'opted in';
  readonly instanceId: string;
  readonly optedIn: boolean;
}

/** The player's tickets of the running round. */
export interface TicketsAwarded {
  readonly kind: 'tickets';
  readonly instanceId: string;
  readonly count: number;
}

interface Envelope {
  readonly msg_type?: unknown;
  readonly event_type?: unknown;
  readonly instance_id?: unknown;
  readonly brand_id?: unknown;
  readonly seq?: unknown;
  readonly timestamp?: unknown;
  readonly player_id?: unknown;
  readonly data?: unknown;
}

export function readFrame(text: string): FeedMessage | null {
  let frame: Envelope;
  try {
    frame = JSON.parse(text) as Envelope;
  } catch {
    return null;
  }
  if (frame === null || typeof frame !== 'object' || frame.msg_type !== 'Event') return null;
  if (typeof frame.instance_id !== 'string' || typeof frame.data !== 'object' || frame.data === null)
    return null;
  const data = frame.data as Record<string, unknown>;
  const common = {
    instanceId: frame.instance_id,
    timestampMs: Number(frame.timestamp ?? 0),
    sequence: Number(frame.seq ?? 0),
  };
  if (frame.event_type === 'JackpotUpdate') return readUpdate(common, data);
  if (frame.event_type === 'WinEvent') return readWin(common, frame, data);
  if (frame.event_type === 'OptInEvent')
    return { kind: 'opted in', instanceId: common.instanceId, optedIn: data.opted_in === true };
  if (frame.event_type === 'RaffleTicketEvent')
    return { kind: 'tickets', instanceId: common.instanceId, count: Number(data.ticket_count ?? 0) };
  if (frame.event_type === 'InstanceStatusEvent')
    return {
      kind: 'status',
      instanceId: common.instanceId,
      counter: common.sequence,
      status: textOf(data.status),
    };
  return null;
}

interface Common {
  readonly instanceId: string;
  readonly timestampMs: number;
  readonly sequence: number;
}

function readUpdate(common: Common, data: Record<string, unknown>): JackpotUpdated {
  const pots = Array.isArray(data.pots) ? (data.pots as Record<string, unknown>[]) : [];
  return {
    kind: 'updated',
    ...common,
    currency: textOf(data.currency),
    status: textOf(data.status),
    sources: Array.isArray(data.allowed_sources) ? data.allowed_sources.map(textOf) : [],
    pots: pots.map((pot) => ({
      id: textOf(pot.id),
      atoms: amount(pot.current_value),
      progressive: pot.is_progressive === true,
    })),
    head: textOf(data.head),
    epoch: Number(data.epoch ?? 0),
  };
}

function readWin(common: Common, frame: Envelope, data: Record<string, unknown>): Won {
  return {
    kind: 'won',
    instanceId: common.instanceId,
    counter: common.sequence,
    timestampMs: common.timestampMs,
    pot: textOf(data.win_pot_id),
    atoms: amount(data.win_amount),
    currency: textOf(data.currency),
    player: textOf(data.player_id ?? frame.player_id),
    brandId: textOf(frame.brand_id),
    cycle: Number(data.instance_count ?? 0),
  };
}

function amount(value: unknown): bigint {
  return typeof value === 'string' || typeof value === 'number' ? (parseAtoms(value) ?? 0n) : 0n;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
