import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProgressLine } from '../../../tools/send/progress-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const standing = { bytes: 0, totalBytes: 1_000, answered: 500, refused: 0 };

function shown(isTTY: boolean) {
  const texts: string[] = [];
  let now = standing;
  const line = new ProgressLine({ isTTY, write: (text) => texts.push(text) }, () => now);
  const go = (ms: number, changes: Partial<typeof standing>) => {
    now = { ...now, ...changes };
    vi.advanceTimersByTime(ms);
  };
  return { texts, line, go };
}

it('draws a bar on a terminal, with the rate of this run', () => {
  const { texts, line, go } = shown(true);
  go(1_000, { bytes: 500, answered: 2_500, refused: 7 });
  expect(texts.at(-1)).toBe(
    `\r${'█'.repeat(15)}${'░'.repeat(15)} 50 %  2,500 answered  2,000/s  7 refused \u001b[K`,
  );
  line.say('A message.');
  expect(texts.at(-1)).toBe('\r\u001b[KA message.\n');
  line.end();
  expect(texts.at(-1)).toBe('\n');
  const before = texts.length;
  go(10_000, {});
  expect(texts).toHaveLength(before);
});

it('says a line every ten seconds elsewhere', () => {
  const { texts, line, go } = shown(false);
  go(10_000, { bytes: 999, answered: 1_500 });
  go(10_000, { bytes: 1_000, answered: 2_500 });
  line.say('A message.');
  line.end();
  expect(texts).toEqual(['99 %  1,500 answered  100/s\n', '100 %  2,500 answered  100/s\n', 'A message.\n']);
});
