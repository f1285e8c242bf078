import type { FeedEvent, JackpotUpdate, WinEvent } from '@potstream/client';
import { parseAtoms } from '../money/decimal.ts';

/** What the page keeps of an event of the feed. */
export type FeedMessage = JackpotUpdated | Won | StatusChanged | OptedIn | TicketsAwarded;

export interface JackpotUpdated {
  readonly kind: 'updated';
  readonly instanceId: string;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly currency: string;
  readonly status: string;
  readonly pots: readonly { readonly id: string; readonly atoms: bigint }[];
  /** '': the feed does not show it. */
  readonly head: string;
}

export interface Won {
  readonly kind: 'won';
  readonly instanceId: string;
  readonly timestampMs: number;
  readonly pot: string;
  readonly atoms: bigint;
  readonly currency: string;
  /** Masked by the service, unless it is the player who looks. */
  readonly player: string;
  /** By player, of a win from before; else the amount is what the player is shown. */
  readonly shown?: Readonly<Record<string, { readonly atoms: bigint; readonly currency: string }>>;
}

export interface StatusChanged {
  readonly kind: 'status';
  readonly instanceId: string;
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

/** null: the page shows nothing of it. */
export function messageOf(event: FeedEvent): FeedMessage | null {
  const instanceId = event.instance_id ?? '';
  if (event.source !== 'jackpot') return null;
  switch (event.event_type) {
    case 'JackpotUpdate':
      return updated(instanceId, event);
    case 'WinEvent':
      return won(instanceId, event);
    case 'InstanceStatusEvent':
      return { kind: 'status', instanceId, status: event.data.status };
    case 'OptInEvent':
      return { kind: 'opted in', instanceId, optedIn: event.data.opted_in };
    case 'RaffleTicketEvent':
      return { kind: 'tickets', instanceId, count: event.data.ticket_count };
    default:
      return null;
  }
}

function updated(instanceId: string, { seq, timestamp, data }: JackpotUpdate): JackpotUpdated {
  return {
    kind: 'updated',
    instanceId,
    sequence: seq,
    timestampMs: timestamp,
    currency: data.currency,
    status: data.status,
    pots: data.pots.map(({ id, current_value }) => ({ id, atoms: parseAtoms(current_value) ?? 0n })),
    head: data.head ?? '',
  };
}

function won(instanceId: string, { timestamp, data }: WinEvent): Won {
  return {
    kind: 'won',
    instanceId,
    timestampMs: timestamp,
    pot: data.win_pot_id,
    atoms: parseAtoms(data.win_amount) ?? 0n,
    currency: data.currency,
    player: data.player_id,
  };
}
