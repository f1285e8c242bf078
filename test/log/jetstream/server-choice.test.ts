import type { Server } from '@nats-io/nats-core';
import { expect, test } from 'vitest';
import { isOfMajority } from '../../../src/log/jetstream/cluster-state.ts';
import { ServerChoice } from '../../../src/log/jetstream/server-choice.ts';

const pool = (...names: string[]): Server[] => names.map((listen) => ({ listen }) as Server);

test('all connections of a process are at one server', () => {
  const choice = new ServerChoice();
  const [first, second, third] = [choice.dialer(), choice.dialer(), choice.dialer()];
  expect(first(pool('b', 'a', 'c'))?.listen).toBe('b');
  expect(second(pool('a', 'b', 'c'))?.listen).toBe('b');
  // It breaks, and the client would begin with the same server again.
  expect(first(pool('b', 'c', 'a'))?.listen).toBe('c');
  expect(second(pool('b', 'a', 'c'))?.listen).toBe('c');
  expect(third(pool('a', 'b', 'c'))?.listen).toBe('c');
});

test('connections that leave a server meet at one that is well', () => {
  const choice = new ServerChoice();
  const [first, second] = [choice.dialer(), choice.dialer()];
  first(pool('a', 'b', 'c'));
  second(pool('a', 'b', 'c'));
  choice.prefer(['c', 'b']);
  expect(first(pool('a', 'b', 'c'))?.listen).toBe('c');
  choice.prefer(['b', 'c']);
  expect(second(pool('a', 'b', 'c'))?.listen).toBe('c');
});

test('each attempt is at another server, and the only one is tried again', () => {
  const dial = new ServerChoice().dialer();
  expect(dial(pool('a', 'b', 'c'))?.listen).toBe('a');
  expect(dial(pool('b', 'c', 'a'))?.listen).toBe('b');
  expect(dial(pool('c', 'a', 'b'))?.listen).toBe('c');
  expect(dial(pool('c'))?.listen).toBe('c');
  expect(dial(pool())).toBeNull();
});

const ms = 1_000_000;
test.each([
  ['without a cluster', undefined, true],
  ['of one copy', { leader: 'a' }, true],
  [
    'of a leader that hears both others',
    { leader: 'a', replicas: [{ active: 900 * ms }, { active: 0 }] },
    true,
  ],
  [
    'of a leader that hears one of two',
    { leader: 'a', replicas: [{ active: 900 * ms }, { active: 9_000 * ms }] },
    true,
  ],
  [
    'of a leader that hears nobody',
    { leader: 'a', replicas: [{ active: 4_000 * ms }, { active: 4_000 * ms }] },
    false,
  ],
  [
    'of a leader alone with one that is gone',
    { leader: 'a', replicas: [{ active: 0, offline: true }, { active: 9_000 * ms }] },
    false,
  ],
  ['of a copy without a leader', { replicas: [{ active: 0 }, { active: 0 }] }, false],
])('an answer %s', (_, cluster, isRight) => {
  expect(isOfMajority(cluster)).toBe(isRight);
});
