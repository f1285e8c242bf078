import { expect, it } from 'vitest';
import { maxSampledPerSecond, sampler } from '../../../src/runtime/tracing/sampler.ts';

const parent = (flags: string): string => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}`;

function sampling(isParentBased: boolean, ratio: number, random = 0.5) {
  const world = { nowMs: 0, limited: 0 };
  const sample = sampler({
    isParentBased,
    ratio,
    random: () => random,
    nowMs: () => world.nowMs,
    limited: () => {
      world.limited += 1;
    },
  });
  return { world, sample };
}

it('the caller decides where sampling is based on the parent, else the ratio', () => {
  const { sample } = sampling(true, 0);
  expect(sample(parent('01'))).toMatchObject({ parent: { traceId: 'a'.repeat(32) } });
  expect(sample(parent('00'))).toBeNull();
  expect(sample(undefined)).toBeNull();
  expect(sampling(true, 1).sample(parent('00'))).toBeNull();
  expect(sampling(true, 1).sample(undefined)).toEqual({ parent: null });
  expect(sampling(true, 1).sample('no traceparent')).toEqual({ parent: null });
  // A trace goes on whoever has decided.
  expect(sampling(false, 1).sample(parent('00'))).toMatchObject({ parent: { spanId: 'b'.repeat(16) } });
  expect(sampling(false, 0).sample(parent('01'))).toBeNull();
  expect(sampling(true, 0.4).sample(undefined)).toBeNull();
  expect(sampling(true, 0.6).sample(undefined)).not.toBeNull();
});

it('callers who ask for more traces than there is room for get none, and are counted', () => {
  const { sample, world } = sampling(true, 0);
  const taken = () => Array.from({ length: 500 }, () => sample(parent('01'))).filter((each) => each !== null);
  expect(taken()).toHaveLength(maxSampledPerSecond);
  expect(world.limited).toBe(500 - maxSampledPerSecond);
  world.nowMs = 999;
  expect(taken()).toHaveLength(0);
  world.nowMs = 1_000;
  expect(taken()).toHaveLength(maxSampledPerSecond);
});
