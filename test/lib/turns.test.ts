import { expect, it } from 'vitest';
import { inSeparateTurns, nextTurn } from '../../src/lib/turns.ts';

it('tasks that are given together run in order, each in a turn of its own', async () => {
  const inTurn = inSeparateTurns();
  let turn = 0;
  const ran: string[] = [];
  const turns: number[] = [];
  const task = (name: string) =>
    inTurn(() => {
      ran.push(name);
      turns.push(turn);
    });
  const all = Promise.all(['a', 'b', 'c'].map(task));
  for (; ran.length < 3; turn += 1) await nextTurn();
  await all;
  expect(ran).toEqual(['a', 'b', 'c']);
  expect(new Set(turns).size).toBe(3);
});
