import { expect, it, vi } from 'vitest';
import { patienceMs } from '../../support/chromium.ts';
import type { World } from './world.ts';

/** A jackpot at earlier places of its log, and its charts. */
export function placesAreShown(world: () => World): void {
  it('shows a jackpot as it was, by keys alone, and draws how it came there', async () => {
    const { system, page, faults, expectNoBarriers } = world();
    await page.goto(`${system.baseUrl}/console/jackpots`);
    await page.getByRole('link', { name: 'Aurora' }).click();
    const then = page.getByText(/behind message [\d,.]+ of lane \d/);
    const slider = page.getByRole('slider', { name: 'Show it as it was at' });
    await slider.focus();
    await page.keyboard.press('Home');
    await then.waitFor();
    const first = await then.textContent();
    await page.getByText('They sum to zero').waitFor();
    // Its first message made it: nobody had contributed.
    await page.getByText('Contributions of this message').click();
    await page.getByText('It brought none to this jackpot.').waitFor();
    await page.getByRole('button', { name: 'Message after' }).click();
    await vi.waitFor(async () => expect(await then.textContent()).not.toBe(first), { timeout: patienceMs });
    expect(page.url()).toContain('message=');
    await page.reload();
    await then.waitFor();
    expect(await then.textContent()).not.toBe(first);
    await slider.focus();
    await page.keyboard.press('PageUp');
    await vi.waitFor(() => expect(page.url()).toContain('at='), { timeout: patienceMs });
    await then.waitFor();
    await page.getByText('They sum to zero').waitFor();
    await expectNoBarriers();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await then.waitFor({ state: 'detached' });
    await page
      .getByRole('img', { name: /^Value of grand in EUR/ })
      .locator('canvas')
      .waitFor();
    for (const range of ['Last hour', 'Last year']) {
      await page.getByRole('button', { name: range }).click();
      await page.getByRole('heading', { name: /^Contributed and won in each (30 s|1 min|4 d)/ }).waitFor();
    }
    await page.getByText('The values as a table').click();
    await page.getByRole('columnheader', { name: 'Contributed', exact: true }).last().waitFor();
    await expectNoBarriers();
    await page.setViewportSize({ width: 390, height: 844 });
    await vi.waitFor(
      async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390),
      { timeout: patienceMs },
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(faults).toEqual([]);
  }, 300_000);
}
