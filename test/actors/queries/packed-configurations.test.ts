import { expect, it } from 'vitest';
import { PackedConfigurations } from '../../../src/actors/queries/packed-configurations.ts';
import { decodeConfiguration } from '../../../src/messages/codec/codec.ts';

const document = (seed: number) => ({ currency: 'EUR', pots: [{ id: `pot-${seed}`, admin_fee: '0.05' }] });

it('a document is encoded once, and equal documents share their bytes', () => {
  const packed = new PackedConfigurations();
  const one = document(1);
  const bytes = packed.of(one);
  expect(decodeConfiguration(bytes)).toEqual(one);
  for (let time = 0; time < 5; time += 1) expect(packed.of(one)).toBe(bytes);
  expect(packed.encoded).toBe(1);
  expect(packed.of(document(1))).toBe(bytes);
  expect(packed.of(document(2))).not.toBe(bytes);
  expect(packed.encoded).toBe(3);
});

it('forgets all beyond its limit, and gives the right bytes again', () => {
  const documents = Array.from({ length: 100 }, (_, seed) => document(seed));
  const packed = new PackedConfigurations(2_000);
  for (const _ of [1, 2])
    for (const each of documents) expect(decodeConfiguration(packed.of(each))).toEqual(each);
  expect(packed.encoded).toBe(200);
});
