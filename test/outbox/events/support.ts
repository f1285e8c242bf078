import type { WebhookSubscription } from '../../../src/contracts/directory/directory.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { createInstance, openEpoch, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

export function subscription(changes: Partial<WebhookSubscription> = {}): WebhookSubscription {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    brands: null,
    url: 'https://games.example.com/events',
    event_types: ['InstanceStatusEvent'],
    created_timestamp: 0,
    ...changes,
  };
}

/** A further instance beside `jackpot`, Active like it. */
export function furtherInstance(instance: string, owner = 'op', group = instance): Command[] {
  return [
    setBrand(),
    createInstance(onePot(), { instance, owner, group }),
    openEpoch(instance, 0, [0, 1, 2]),
    setStatus('Active', instance),
  ];
}

/** Each is an InstanceStatusEvent. */
export function statusChanges(count: number, instance = 'jackpot'): Command[] {
  return Array.from({ length: count }, (_, index) =>
    setStatus(index % 2 === 0 ? 'Paused' : 'Active', instance),
  );
}

export interface SentEvent {
  readonly event_id: string;
  readonly subscription_id: string;
  readonly event_type: string;
  readonly operator_id: string;
  readonly brand_id: string | null;
  readonly player_id: string | null;
  readonly instance_id: string;
  readonly seq: number | null;
  readonly timestamp: number;
  readonly data: Record<string, unknown>;
}

export function readEvents(bodies: readonly string[]): SentEvent[] {
  return bodies.map((body) => JSON.parse(body) as SentEvent);
}

/** The sequence of an instance's events as they arrived, each when it came first. */
export function firstArrivals(bodies: readonly string[], instance = 'jackpot'): (number | null)[] {
  const seen = new Set<string>();
  return readEvents(bodies).flatMap(({ event_id, instance_id, seq }) => {
    if (instance_id !== instance || seen.has(event_id)) return [];
    seen.add(event_id);
    return [seq];
  });
}
