import { expect } from 'vitest';
import {
  type ContributionV2,
  StreamError,
  type StreamItem,
  type StreamOptions,
  type StreamResult,
} from '../../../sdk/src/index.ts';
import { assemble, type PotstreamOptions } from '../../../sdk/src/potstream.ts';
import type { Pace } from '../../../sdk/src/retry.ts';

/** Real time, but pauses between attempts take none and are counted. */
export function hastyPace(): Pace & { readonly waits: number[] } {
  let skippedMs = 0;
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => performance.now() + skippedMs,
    random: () => 0,
    async wait(delayMs, signal) {
      signal?.throwIfAborted();
      waits.push(delayMs);
      skippedMs += delayMs;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export const credentials = { username: 'service', password: 'a long password' };

/** How long a test waits for what must happen: others may want the same cores. */
export const patience = { timeout: 60_000, interval: 2 };

/** @param pace `stillPace()` where limits must be reached only when the test says so */
export function potstreamOf<P extends Pace = ReturnType<typeof hastyPace>>(
  baseUrl: string,
  options: Partial<PotstreamOptions> = {},
  pace = hastyPace() as Pace as P,
) {
  return { pace, potstream: assemble({ baseUrl, credentials, ...options }, pace) };
}

export function contributionOf(key: string, changes: Partial<ContributionV2> = {}): ContributionV2 {
  return {
    target: { type: 'instance', id: 'gold' },
    source: { type: 'gameround', id: key },
    operator_id: 'acme',
    player: { id: 'ada', token: 'session', country: 'DE', brand_id: 'main' },
    base_wager: { currency: 'EUR', value: '1.00' },
    options: { idempotency_key: key },
    ...changes,
  };
}

/** Contributions whose refs are their numbers from 0 and whose keys are `k0`, `k1` and so on. */
export function* items(count: number): Generator<StreamItem<number>> {
  for (let ref = 0; ref < count; ref += 1) yield { ref, contribution: contributionOf(`k${ref}`) };
}

/** All results of a stream of so many items. */
export async function resultsOf(
  baseUrl: string,
  count: number,
  options: StreamOptions = {},
  potstreamOptions: Partial<PotstreamOptions> = {},
): Promise<StreamResult<number>[]> {
  const { potstream } = potstreamOf(baseUrl, potstreamOptions);
  return collect(potstream.streamContributions(items(count), options));
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** Refs in order, and that there is one result for each. */
export function expectOneEach(results: readonly StreamResult<number>[], count: number): void {
  expect(results.map(({ ref }) => ref).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, ref) => ref),
  );
}

/** The results that a stream yields before it throws, and what it throws. */
export async function failureOf<Ref>(
  stream: AsyncIterable<StreamResult<Ref>>,
): Promise<{ results: StreamResult<Ref>[]; error: StreamError<Ref> }> {
  const results: StreamResult<Ref>[] = [];
  try {
    for await (const result of stream) results.push(result);
  } catch (error) {
    expect(error).toBeInstanceOf(StreamError);
    return { results, error: error as StreamError<Ref> };
  }
  throw new Error(`The stream did not fail: ${JSON.stringify(results)}`);
}
