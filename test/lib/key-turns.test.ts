import { describe, expect, it } from 'vitest';
import { KeyTurns } from '../../src/lib/key-turns.ts';

/** Work that is told when to end. */
function work(log: string[], name: string) {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async (): Promise<string> => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('turns of a key', () => {
  const turnsOf = (waiting = 10, nowMs = () => 0) =>
    new KeyTurns({ waiting, waitMs: 1_000 }, nowMs, () => new Error('refused'));

  it('are taken in order; other keys do not wait', async () => {
    const log: string[] = [];
    const [first, second, other] = [work(log, 'first'), work(log, 'second'), work(log, 'other')];
    const turns = turnsOf();
    const done = [turns.run('a', first.run), turns.run('a', second.run), turns.run('b', other.run)];
    await soon();
    expect(log).toEqual(['first begins', 'other begins']);
    second.end();
    first.end();
    other.end();
    expect(await Promise.all(done)).toEqual(['first', 'second', 'other']);
    expect(log.indexOf('first ends')).toBeLessThan(log.indexOf('second begins'));
  });

  it('go on behind work that fails', async () => {
    const turns = turnsOf();
    const failed = turns.run('a', () => Promise.reject(new Error('broken')));
    const next = turns.run('a', async () => 'next');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await turns.run('a', async () => 'later')).toBe('later');
  });

  it('are refused where too many wait', async () => {
    const log: string[] = [];
    const first = work(log, 'first');
    const turns = turnsOf(1);
    const done = [turns.run('a', first.run), turns.run('a', async () => 'second')];
    await soon();
    await expect(turns.run('a', async () => 'third')).rejects.toThrow('refused');
    first.end();
    expect(await Promise.all(done)).toEqual(['first', 'second']);
  });

  it('are refused to who has waited too long, and given to the one behind', async () => {
    const log: string[] = [];
    let nowMs = 0;
    const first = work(log, 'first');
    const turns = turnsOf(10, () => nowMs);
    const done = turns.run('a', first.run);
    const late = turns.run('a', work(log, 'late').run);
    await soon();
    nowMs = 900;
    const behind = turns.run('a', async () => 'behind');
    await soon();
    nowMs = 1_100;
    first.end();
    await expect(late).rejects.toThrow('refused');
    expect(await Promise.all([done, behind])).toEqual(['first', 'behind']);
    expect(log).toEqual(['first begins', 'first ends']);
  });
});
