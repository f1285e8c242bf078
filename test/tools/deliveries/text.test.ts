import { expect, it } from 'vitest';
import { replayLines } from '../../../tools/deliveries/text.ts';

it('shows the replay of the first start, which has no end', () => {
  const replay = { id: 'r', state: 'done', from: 0, to: Number.MAX_SAFE_INTEGER, deliveries: 7 };
  expect(replayLines([replay])).toMatch(/^r +done +1970-01-01T00:00:00\.000Z +- +7$/m);
});
