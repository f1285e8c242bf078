import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { sumOf } from '../../../console/src/parts/decimals.ts';
import { patienceMs } from '../../support/chromium.ts';
import { second } from '../../support/second-administrator.ts';
import { award } from '../on-one-system/award.ts';
import { hostile, type World } from './world.ts';

/** What people come for, by clicks alone. How long each takes is printed: the machine may have other work. */
async function timed(task: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  console.log(`${task}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

export function paymentIsResolved(world: () => World): void {
  it('leads a payment that the wallet does not confirm to its end', async () => {
    const { system, page, heading, walletFails, expectNoBarriers } = world();
    await walletFails([{ operation: 'W3', player_id: 'bruno', fault: 'drop', when: 'before' }]);
    await award(system, 'Final Whistle', 'bruno');
    await timed('A stuck payment resolved', async () => {
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('link', { name: 'unknown' }).first().click();
      await heading('Money');
      const retry = page.getByRole('button', { name: 'Retry' });
      const row = page.getByRole('row').filter({ hasText: 'bruno' }).filter({ has: retry });
      const transaction = (await row.first().locator('span.id').last().textContent()) ?? '';
      const rowOfIt = page.getByRole('row').filter({ hasText: transaction });
      await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('alert').getByText('This can be paid twice.').waitFor();
      await expectNoBarriers();
      const decide = dialog.getByRole('button', { name: 'Book as paid' });
      await decide.click();
      // What has to be true is confirmed, and a reason given, before anything is sent.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await rowOfIt.getByRole('button', { name: 'Retry' }).click();
      await dialog.getByLabel('Reason, for the audit trail').fill('The wallet is down.');
      await dialog.getByRole('button', { name: 'Ask the wallet again' }).click();
      await dialog.getByText('The wallet will be asked again now').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
      await dialog.getByLabel('The player has the money').check();
      await dialog.getByLabel('Reason, for the audit trail').fill(hostile);
      await decide.click();
      await dialog.getByRole('status').getByText('Booked as paid.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await rowOfIt.waitFor({ state: 'detached' });
    });
    await walletFails([]);
    expect(world().faults).toEqual([]);
  }, 300_000);

  it('answers a player who asks where the money is', async () => {
    const { page } = world();
    await timed('“Where is my money?” answered', async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      // Where the focus is: nobody clicks first.
      await page.keyboard.type('bruno');
      await page
        .getByRole('option')
        .filter({ hasText: 'bruno' })
        .filter({ hasText: 'demo:main' })
        .first()
        .click();
      await page.getByText('No win is waiting to be paid.').waitFor();
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Copied').waitFor();
    });
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^No win is waiting to be paid\. /);
    expect(world().faults).toEqual([]);
  }, 180_000);
}

export function monthIsReconciled(world: () => World): void {
  it('exports the report of a month, which is the sum of the list behind it', async () => {
    const { page, heading, faults } = world();
    await timed('A month’s report exported and reconciled', async () => {
      await page.getByRole('link', { name: 'Jackpots' }).click();
      await page.getByRole('link', { name: 'Final Whistle' }).click();
      await heading('Final Whistle');
      const jackpot = (await page.locator('dd.id').first().textContent()) ?? '';
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByLabel('Jackpot (id)').fill(jackpot);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      // The books follow a moment behind.
      await vi.waitFor(
        async () => {
          const report = await saved(page, () => page.getByRole('button', { name: 'Export' }).click());
          const wins = await saved(page, () => page.getByRole('link', { name: 'wins', exact: true }).click());
          expect(wins.length).toBeGreaterThan(0);
          const won = sumOf(wins.map((row) => row.amount ?? ''));
          expect(Number(sumOf(report.map((row) => row.Won ?? '')))).toBe(Number(won));
          expect(report.reduce((sum, row) => sum + Number(row.Wins), 0)).toBe(wins.length);
        },
        { timeout: patienceMs, interval: 1_000 },
      );
    });
    expect(faults).toEqual([]);
  }, 240_000);
}

async function saved(page: Page, ask: () => Promise<void>): Promise<readonly Record<string, string>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), ask()]);
  return parse(await readFile(await download.path(), 'utf8'), { bom: true, columns: true });
}

export function jackpotIsCompleted(world: () => World): void {
  it('completes a jackpot that is over, and says where its money has to go', async () => {
    const { page, asked, heading, expectNoBarriers, faults } = world();
    const made = async (name: string, end: number | null) => {
      const template = { template_owner_id: 'demo', template_id: 'three-pots', owner_id: 'demo' };
      const answer = await asked('POST', '/config/instances', { ...template, name, timestamp_end: end });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { readonly id: string }).id;
    };
    const taker = await made('Night after', null);
    const over = await made('Night over', Date.now() + 20_000);
    await vi.waitFor(
      async () => {
        const active = { status: 'Active', reason: 'a test' };
        expect((await asked('POST', `/config/instances/${over}/status`, active)).status).toBe(200);
      },
      { timeout: 15_000, interval: 200 },
    );
    await page.getByRole('link', { name: 'Jackpots' }).click();
    await page.getByRole('link', { name: 'Night over' }).click();
    await heading('Night over');
    await page.getByRole('button', { name: 'Complete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason, for the audit trail').fill('The night is over.');
    const complete = dialog.getByRole('button', { name: 'Complete this jackpot' });
    await complete.click();
    await dialog.getByText('there is money left').waitFor();
    await expectNoBarriers();
    await dialog.locator(`datalist option[value="${taker}"]`).waitFor({ state: 'attached' });
    await dialog.getByLabel('Id of the jackpot that takes what is left').fill(taker);
    await complete.click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('.heading').getByText('Completed', { exact: true }).waitFor();
    const { pots } = (await (await asked('GET', `/config/instances/${taker}`)).json()) as {
      readonly pots: readonly { readonly current_value: string | number }[];
    };
    expect(Number(sumOf(pots.map(({ current_value }) => current_value)))).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  }, 300_000);
}

export function twoPersonsDecide(world: () => World): void {
  let other: Page;

  it('has a change approved by a second person, not by who proposed it', async () => {
    const { page, asked, factor, expectNoBarriers } = world();
    const rule = await asked('PATCH', '/config/operators/demo', { four_eyes: { enabled: true } });
    expect(rule.status).toBe(204);
    const found = await (await asked('GET', '/config/instances?name=Aurora')).json();
    const [aurora] = found as { readonly id: string }[];
    const path = `/config/instances/${aurora?.id}/pots/mini/surplus-seed`;
    expect((await asked('PUT', path, { adjustment: 7, reason: hostile })).status).toBe(202);
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByText('You proposed this: another administrator has to approve it.').first().waitFor();
    const approve = page
      .getByRole('row')
      .filter({ hasText: 'surplus-seed' })
      .getByRole('button', { name: 'Approve' });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await expectNoBarriers();
    other = await world().logIn(second, 'approvals');
    await other
      .getByRole('row')
      .filter({ hasText: 'surplus-seed' })
      .getByRole('button', { name: 'Approve', exact: true })
      .click();
    await other.getByRole('cell', { name: 'changed by 7' }).waitFor();
    await other.getByRole('button', { name: 'Approve this change' }).click();
    await other.getByLabel('Code of your second factor').fill(factor.generate());
    await other.getByRole('button', { name: 'Approve this change' }).click();
    await other.getByText('Done.').waitFor();
    await other.getByRole('button', { name: 'Close' }).click();
    await other.getByRole('button', { name: 'Executed' }).click();
    await other.getByRole('row').filter({ hasText: 'surplus-seed' }).filter({ hasText: 'second' }).waitFor();
    expect(world().faults).toEqual([]);
  }, 300_000);

  it('leads a jackpot from a template to Active, by two persons at two browsers', async () => {
    const { page, heading, faults } = world();
    await timed('A jackpot from template to Active by two persons', async () => {
      await page.getByRole('link', { name: 'Templates' }).click();
      await page.getByRole('link', { name: 'Three pots' }).click();
      await heading('Three pots');
      await page.getByLabel('Cycles of each pot').fill('3');
      await page.getByRole('button', { name: 'Make a jackpot' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('"max_instantiation_count": 3').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('Two persons');
      await dialog.getByRole('button', { name: 'Make this jackpot' }).click();
      await dialog.getByRole('link', { name: 'Two persons' }).click();
      await heading('Two persons');
      await page.getByRole('button', { name: 'Activate' }).click();
      await dialog.getByLabel('Reason, for the audit trail').fill('The campaign begins.');
      await dialog.getByRole('button', { name: 'Activate this jackpot' }).click();
      await dialog.getByText('a second administrator has to approve this').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await other.getByRole('link', { name: 'Approvals' }).click();
      await other
        .getByRole('row')
        .filter({ hasText: 'The campaign begins.' })
        .getByRole('button', { name: 'Approve', exact: true })
        .click();
      await other.getByRole('button', { name: 'Approve this change' }).click();
      await other.getByText('Done.').waitFor();
      await page.locator('.heading').getByText('Active', { exact: true }).waitFor();
    });
    await other.context().close();
    expect(faults).toEqual([]);
  }, 300_000);
}

export function hostIsKilled(world: () => World): void {
  it('shows who owns the lanes after their owner was killed', async () => {
    const { system, page, asked, heading, faults } = world();
    await page.getByRole('link', { name: 'System' }).click();
    await heading('System');
    const column = (table: string, number: number) =>
      page
        .getByRole('region', { name: `Table of ${table}` })
        .locator(`tbody tr td:nth-child(${number})`)
        .allTextContents();
    const ownersOf = () => column('lanes', 4);
    await expect.poll(async () => new Set(await ownersOf()).size, { timeout: patienceMs }).toBe(2);
    const before = await ownersOf();
    const killed = system.kill('actors');
    await timed('An owner killed and the map right', async () => {
      let moved = -1;
      const changed = async () => {
        moved = (await ownersOf()).findIndex((owner, lane) => owner !== before[lane]);
        return moved;
      };
      await expect.poll(changed, { timeout: patienceMs, interval: 50 }).toBeGreaterThanOrEqual(0);
      await expect.poll(() => column('failovers', 4), { timeout: patienceMs }).toContain(before[moved]);
    });
    await killed;
    await system.ready();
    // Whatever moves back meanwhile, the map follows.
    await vi.waitFor(
      async () => {
        const lanes = (await (await asked('GET', '/config/lanes')).json()) as { owner: string }[];
        expect(await ownersOf()).toEqual(lanes.map(({ owner }) => owner));
      },
      { timeout: patienceMs, interval: 100 },
    );
    expect(faults.filter((fault) => !/status of 503/.test(fault))).toEqual([]);
    faults.length = 0;
  }, 300_000);
}
