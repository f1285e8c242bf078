import { expect, it } from 'vitest';
import { warmUp } from '../../../src/actors/lane/warm-up.ts';

it('a warm-up applies what it plays, wins among them', () => {
  expect(warmUp()).toEqual({ contributions: 1920, wins: 11 });
});
