import { expect, it } from 'vitest';
import { rehearse } from '../../src/actors/warm-up.ts';

it('a rehearsal applies what it plays, wins among them', () => {
  expect(rehearse()).toEqual({ contributions: 960, wins: 4 });
});
