import { expect, it } from 'vitest';
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
      await page.getByRole('link', { name: 'unknown' }).click();
      await heading('Money');
      const retry = page.getByRole('button', { name: 'Retry' });
      const row = page.getByRole('row').filter({ hasText: 'bruno' }).filter({ has: retry });
      const transaction = (await row.first().locator('span.id').last().textContent()) ?? '';
      const rowOfIt = page.getByRole('row').filter({ hasText: transaction });
      await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('alert').getByText('This can be paid twice.').waitFor();
      await expectNoBarriers();
      const decide = dialog.getByRole('button', { name: 'Resolve this payment' });
      await decide.click();
      // What has to be true is confirmed, and a reason given, before anything is sent.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await rowOfIt.getByRole('button', { name: 'Retry' }).click();
      await dialog.getByLabel('Reason, for the audit trail').fill('The wallet is down.');
      await dialog.getByRole('button', { name: 'Ask the wallet again' }).click();
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
      await dialog.getByLabel('The player has the money').check();
      await dialog.getByLabel('Reason, for the audit trail').fill(hostile);
      await decide.click();
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await rowOfIt.waitFor({ state: 'detached' });
    });
    await walletFails([]);
    expect(world().faults).toEqual([]);
  }, 300_000);
}

export function twoPersonsDecide(world: () => World): void {
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
    const other = await world().logIn(second, 'approvals');
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
    await other.context().close();
    expect(world().faults).toEqual([]);
  }, 300_000);
}
