import { encodeForeignEvent, type ForeignEvent } from '../../../contracts/feeds/feed.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { Bus, Clock } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';
import { TokenBuckets } from '../../base/token-buckets.ts';

/** Takes other platforms' events into the feeds (docs/rules/feeds.md "Events of other platforms"). */
export interface PlatformEvents {
  /** @throws PublicError rate_limited, storage_unavailable */
  publish(event: ForeignEvent): void;
}

interface PlatformEventsOptions {
  /** An operator's, in this process. */
  readonly perSecond: number;
  readonly subjectOf: (operator: string) => string;
}

/** A second's worth may come at once. */
const burstSeconds = 1;
const countedOperators = 10_000;
/** Larger events count as several. */
const bytesOfEvent = 1_024;

export function createPlatformEvents(
  bus: Pick<Bus, 'publish' | 'connected'>,
  clock: Clock,
  { perSecond, subjectOf }: PlatformEventsOptions,
): PlatformEvents {
  const buckets = new TokenBuckets(clock, {
    callers: 'events of',
    perSecond,
    burstSeconds,
    maxCallers: countedOperators,
  });
  return {
    publish(event) {
      const operator = operatorOf(event.brand);
      buckets.take(operator);
      // The bus keeps nothing: no feed would get it.
      if (!bus.connected()) throw new PublicError('storage_unavailable');
      const bytes = encodeForeignEvent(event);
      buckets.charge(operator, Math.floor(bytes.length / bytesOfEvent));
      bus.publish(subjectOf(operator), bytes);
    },
  };
}
