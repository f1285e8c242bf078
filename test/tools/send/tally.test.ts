import { expect, it } from 'vitest';
import { reportOf, reportText } from '../../../tools/send/report.ts';
import { Tally } from '../../../tools/send/tally.ts';

const result = (currency: string, amount: string) => ({
  contribution_currency: currency,
  contribution_amount: amount,
});

it('adds exactly, counts by code, and goes on from what was stored', () => {
  let tally = new Tally();
  for (let number = 0; number < 40; number += 1) {
    tally.accept([result('EUR', '0.1'), result('USD', '90000000000.12345678')], number % 10 === 0);
    tally.refuse('jackpot_not_found', 100 - number);
    // As after an interruption.
    tally = new Tally(JSON.parse(JSON.stringify(tally.stored())));
  }
  tally.refuse('overloaded', 7);
  tally.elapsedMs = 2_000;
  expect(tally.stored()).toEqual({
    applied: 36,
    repeated: 4,
    refused: {
      jackpot_not_found: { count: 40, firstLines: [61, 62, 63, 64, 65] },
      overloaded: { count: 1, firstLines: [7] },
    },
    contributed: {
      EUR: { applied: '3.6', repeated: '0.4' },
      USD: { applied: '3240000000004.44444408', repeated: '360000000000.49382712' },
    },
    elapsedMs: 2_000,
  });
  expect(tally.answered).toBe(81);
  const text = reportText(reportOf('rounds.csv', true, tally.stored()));
  expect(text).toMatch(/^rounds\.csv: every line is answered\n/);
  expect(text).toMatch(/^answered +81$/m);
  expect(text).toMatch(/^rate +41\/s in 2\.0 s$/m);
  expect(text).toMatch(/^jackpot_not_found +40 +61, 62, 63, 64, 65$/m);
  expect(text).toMatch(/^EUR +3\.6 +0\.4 +4$/m);
  expect(text).toMatch(/^USD +3240000000004\.44444408 +360000000000\.49382712 +3600000000004\.9382712$/m);
});
