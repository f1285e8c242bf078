import { expect, it } from 'vitest';
import type { World } from './world.ts';

/** An address of the registered origin is subscribed; pages of others are let in. */
export function serversAreSubscribed(world: () => World): void {
  it('subscribes a server to events, and lets pages read answers', async () => {
    const { page, faults, heading } = world();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await heading('Webhooks');
    await page.getByLabel('Operator', { exact: true }).fill('demo');
    await page.getByRole('button', { name: 'Show' }).click();
    const dialog = page.getByRole('dialog');
    const decide = async (name: string) => {
      await dialog.getByRole('button', { name }).click();
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    const address = 'http://127.0.0.1:9/events';
    await page.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByLabel('Address').fill('http://127.0.0.1:10/events');
    await dialog.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByText('callback_address_not_allowed').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('OptInEvent').uncheck();
    await decide('Subscribe an address');
    const row = page.getByRole('row').filter({ hasText: address });
    await row.getByText('PayoutEvent').waitFor();
    expect(await row.textContent()).not.toContain('OptInEvent');
    await page.getByRole('button', { name: 'Allow pages' }).click();
    await dialog.getByLabel('Origin or pattern').fill('https://games.example');
    await decide('Allow pages');
    await page.getByRole('row').filter({ hasText: 'https://games.example' }).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await decide('Remove the subscription');
    await row.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  }, 180_000);
}
