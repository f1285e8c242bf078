import { expect, test } from 'vitest';
import { checkBooks, compareAccounts } from '../../../src/reporting/check/check.ts';
import { findingText } from '../../../src/reporting/check/finding.ts';
import { balancesAtPosition } from '../../../src/reporting/store/questions/balances.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { ProjectedLane, testSystem } from '../support/booked-lane.ts';
import { onEachDatabase } from '../support/places.ts';

const commandsOfHistory = 1_500;

onEachDatabase((books) => {
  test.each([1, 2, 3])(
    'the books of random history %i agree with themselves and with the lane',
    async (seed) => {
      const run = new MixedRun(seed);
      run.apply(run.begin());
      while (run.commands < commandsOfHistory) run.apply(run.next());
      const lane = new ProjectedLane();
      for (const message of run.lane.log) lane.take(lane.booked.apply(message));
      const store = await books.open(await books.place(), testSystem);
      for (const batch of lane.batches) await store.write(batch);

      const found: string[] = [];
      for await (const finding of checkBooks(store, { from: null, to: '9999-12-30' }))
        found.push(findingText(finding));
      for (const instance of lane.engine.instances()) {
        const accounts = new Map(lane.engine.accounts(instance));
        const { balances } = await balancesAtPosition(store, 0, instance);
        found.push(...compareAccounts(instance, balances, accounts).map(findingText));
      }
      expect(found).toEqual([]);
    },
  );
});
