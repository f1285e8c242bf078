import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayBeSkipped } from '../support/chromium.ts';
import type { RunningSystem } from '../support/system.ts';
import { accessIsManaged } from './console/access.ts';
import { pictured } from './console/pictures.ts';
import { rolesSeeTheirs } from './console/roles.ts';
import {
  hostIsKilled,
  jackpotIsCompleted,
  monthIsReconciled,
  paymentIsResolved,
  twoPersonsDecide,
} from './console/tasks.ts';
import { templatesAreMade } from './console/templates.ts';
import { placesAreShown } from './console/through-time.ts';
import { serversAreSubscribed } from './console/webhooks.ts';
import { openConsole, type World } from './console/world.ts';
import { stopPages } from './on-one-system/pages.ts';

const paths = [
  '',
  'jackpots',
  'templates',
  'templates/demo/three-pots',
  'templates/new',
  'templates/compare?one=demo/three-pots&other=demo/lucky-draw',
  'money',
  'approvals',
  'winners',
  'players',
  'deliveries',
  'webhooks',
  'reports',
  'audit',
  'system',
  'access',
  'access?part=services',
  'access?part=wallets',
  'access?part=origins',
  'access?part=keys',
  'account',
];

/** In this order: once the four-eyes rule is on, accounts and wins wait, too. */
describe.skipIf(mayBeSkipped)('the console', () => {
  let opened: World;
  let system: RunningSystem;
  let page: Page;
  let faults: readonly string[];
  const world = () => opened;
  const heading = (name: string) => opened.heading(name);
  const expectNoBarriers = () => opened.expectNoBarriers();

  beforeAll(async () => {
    opened = await openConsole();
    ({ system, page, faults } = opened);
  }, 600_000);

  afterAll(stopPages, 120_000);

  it('lets a newcomer in with one click, who sees the pots', async () => {
    await page.goto(`${system.baseUrl}/console/`);
    await page.getByRole('button', { name: 'Enter the demo' }).click();
    await heading('Home');
    await page.getByRole('link', { name: 'Aurora' }).waitFor();
    await page.getByText('No payment waits for a person.').waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  it('shows what a jackpot holds, and that its accounts sum to zero', async () => {
    await page.getByRole('link', { name: 'Jackpots' }).click();
    await heading('Jackpots');
    await expectNoBarriers();
    await page.getByRole('link', { name: 'Aurora' }).click();
    await heading('Aurora');
    await page.getByText('They sum to zero').waitFor();
    await page.getByRole('heading', { name: 'Adjustments and switches' }).waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  placesAreShown(world);

  it('finds a player, and leads from a contribution to its draws', async () => {
    await page.getByRole('link', { name: 'Players' }).click();
    await page.getByLabel('Brand').selectOption('demo:direct');
    await page.getByLabel('Player', { exact: true }).fill(system.credentials.players[0]?.player_id ?? '');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('The books know nothing of this player').waitFor();
    const [newest] = (await (await opened.asked('GET', '/config/contributions?limit=1')).json()) as {
      contribution_id: string;
      player_id: string;
    }[];
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(newest?.contribution_id ?? '');
    await page.getByRole('option').first().click();
    await heading('Contribution');
    await page.getByText('Split').first().waitFor();
    await expectNoBarriers();
    await page
      .getByRole('link', { name: newest?.player_id ?? '' })
      .first()
      .click();
    await page.getByText('Where is my money?').waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  paymentIsResolved(world);
  accessIsManaged(world);
  templatesAreMade(world);
  jackpotIsCompleted(world);
  rolesSeeTheirs(world);
  serversAreSubscribed(world);

  it.each([390, 768, 1440])(
    'fits %i pixels, in the dark and from right to left',
    async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: width === 768 ? 'dark' : 'light' });
      for (const path of paths) {
        await page.goto(`${system.baseUrl}/console/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (width === 1440) await pictured(page, path);
        await page.evaluate("document.documentElement.dir = 'rtl'");
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        // Tests above looked at most of them at this width.
        if (width !== 1440) await expectNoBarriers();
      }
      expect(faults).toEqual([]);
    },
    600_000,
  );

  it('answers from the books, the trail, the outbox and the hosts', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Winners' }).click();
    await page.getByLabel('Brand').fill('demo:main');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row').filter({ hasText: 'bruno' }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^\u{feff}Time,Kind,Jackpot,Pot,Player/u);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByLabel('Operation').fill('settlements.resolve');
    await page.getByRole('button', { name: 'Show', exact: true }).first().click();
    await page
      .getByRole('row')
      .filter({ hasText: '<img src=x' })
      .getByRole('button', { name: 'Show' })
      .click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Input' }).waitFor();
    await expectNoBarriers();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Potstream console');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await heading('Deliveries');
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('serving').first().waitFor();
    await page.getByRole('button', { name: 'Drain', exact: true }).first().click();
    await page
      .getByRole('dialog')
      .getByText(/^Lane \d+: from/)
      .first()
      .waitFor();
    await expectNoBarriers();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Drain / })
      .click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'drained' }).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: /^Let / }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Move' }).first().click();
    await page
      .getByRole('dialog')
      .getByText(/^(Lane \d+: from|No lane gets)/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('button', { name: 'By brand', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'demo:main' }).filter({ hasText: 'EUR' }).first().waitFor();
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'wins', exact: true }).click(),
    ]);
    expect(await readFile(await table.path(), 'utf8')).toContain('demo:main');
    expect(faults).toEqual([]);
  }, 300_000);

  monthIsReconciled(world);
  twoPersonsDecide(world);
  hostIsKilled(world);

  it('is forgotten by the page that logs out', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Enter the demo' }).waitFor();
    expect(faults).toEqual([]);
  }, 120_000);
});
