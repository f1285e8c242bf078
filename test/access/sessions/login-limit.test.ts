import { beforeEach, describe, expect, it } from 'vitest';
import {
  createLoginLimit,
  type LoginLimit,
  type LoginTry,
} from '../../../src/access/sessions/login-limit.ts';

let nowMs: number;
let limit: LoginLimit;
let waits: { readonly atMs: number; readonly wake: () => void }[];
const settle = () => new Promise((resolve) => setImmediate(resolve));
beforeEach(() => {
  nowMs = 0;
  waits = [];
  const clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after(delayMs: number, wake: () => void) {
      waits.push({ atMs: nowMs + delayMs, wake });
      return () => {};
    },
  };
  limit = createLoginLimit(clock, { maxFailures: 3, windowMs: 60_000, maxPairs: 4 });
});

async function admitted(pair = 'p'): Promise<LoginTry> {
  const begun = await limit.begin(pair);
  if (typeof begun === 'number') throw new Error(`blocked for ${begun} s`);
  return begun;
}

async function fail(times: number, pair = 'p'): Promise<void> {
  for (let time = 0; time < times; time += 1) (await admitted(pair)).failed();
}

describe('a pair of name and address', () => {
  it('is blocked after so many failures, until the window is over', async () => {
    await fail(3);
    nowMs = 20_000;
    expect(await limit.begin('p')).toBe(40);
    expect(await limit.begin('other')).toMatchObject({ proven: false });
    nowMs = 60_000;
    expect(await limit.begin('p')).toMatchObject({ proven: false });
  });

  it('has as many guesses side by side as one behind the other', async () => {
    const begun: (LoginTry | number)[] = [];
    for (let guess = 0; guess < 20; guess += 1) void limit.begin('p').then((each) => begun.push(each));
    await settle();
    expect(begun.length).toBe(3);
    for (const each of [...begun]) (each as LoginTry).failed();
    await settle();
    expect(begun.length).toBe(20);
    expect(begun.slice(3)).toEqual(Array(17).fill(60));
  });

  it('goes on where tries beside it were right', async () => {
    const begun: (LoginTry | number)[] = [];
    for (let login = 0; login < 20; login += 1) {
      void limit.begin('p').then((each) => {
        begun.push(each);
        if (typeof each !== 'number') setImmediate(() => each.succeeded());
      });
    }
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(begun.length).toBe(20);
    expect(begun.every((each) => typeof each !== 'number')).toBe(true);
  });

  it('that nobody tried after all counts nothing', async () => {
    for (let time = 0; time < 5; time += 1) (await admitted()).abandoned();
    await admitted();
  });

  it('that has proven itself waits for its turn, one a second, beside whoever guesses', async () => {
    (await admitted()).succeeded();
    await fail(3);
    const begun: (LoginTry | number)[] = [];
    for (let guess = 0; guess < 7; guess += 1) void limit.begin('p').then((each) => begun.push(each));
    await settle();
    // One at once, four wait, and the rest is told when to come again.
    expect(begun).toEqual([expect.objectContaining({ proven: true }), 5, 5]);
    expect(waits.map(({ atMs }) => atMs)).toEqual([1_000, 2_000, 3_000, 4_000]);
    (begun[0] as LoginTry).failed();
    for (const { wake } of waits) wake();
    await settle();
    for (const each of begun.slice(3)) (each as LoginTry).failed();
    nowMs = 5_000;
    (await admitted()).succeeded();
    nowMs += 3_600_000;
    await fail(3);
    expect(await limit.begin('p')).toBe(60);
  });

  it('proves itself with a renewed token, too', async () => {
    limit.proved('p');
    await fail(3);
    expect((await admitted()).proven).toBe(true);
  });

  it('is counted while it is tried, however many other pairs come', async () => {
    const tried = await admitted();
    for (let pair = 0; pair < 10; pair += 1) await fail(1, `pair ${pair}`);
    tried.failed();
    await fail(2);
    expect(await limit.begin('p')).toBe(60);
  });
});
