import { expect, it } from 'vitest';
import type { World } from './world.ts';

/** Templates: made, faulty at first, compared, and a jackpot of one that was changed. */
export function templatesAreMade(world: () => World): void {
  it('makes a template of a form, whose faults are at their fields, and of its JSON', async () => {
    const { page, heading, expectNoBarriers, faults } = world();
    await page.getByRole('link', { name: 'Templates' }).click();
    await heading('Templates');
    await expectNoBarriers();
    await page.getByRole('button', { name: 'New template' }).click();
    await heading('New template');
    const json = page.getByLabel('JSON of the configuration');
    await page.getByLabel('Its part of a contribution', { exact: true }).fill('1.5');
    await page.getByLabel('One win in so many attempts').fill('0');
    expect(JSON.parse(await json.inputValue())).toMatchObject({
      pots: [{ contribution: { Percentage: '1.5' }, pot_types: [{ HitRate: { max_magic_number: 0 } }] }],
    });
    const dialog = page.getByRole('dialog');
    const create = async () => {
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.getByLabel('Owner').selectOption('demo');
      await dialog.getByLabel('Id', { exact: true }).fill('quiet-night');
      await dialog.getByLabel('Name', { exact: true }).fill('Quiet night');
      await dialog.getByRole('button', { name: 'Create this template' }).click();
    };
    await create();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const attempts = page.getByLabel('One win in so many attempts');
    expect(await attempts.getAttribute('aria-invalid')).toBe('true');
    await expectNoBarriers();
    await attempts.fill('500');
    await create();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const part = page.getByLabel('Its part of a contribution', { exact: true });
    expect(await part.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('“Its part of a contribution” of Pot main must not exceed 1').waitFor();
    await json.fill('{"currency":');
    await page.getByText('This is no JSON object yet.').waitFor();
    await json.fill(JSON.stringify(quietNight));
    expect(await part.inputValue()).toBe('0.9');
    // It is played before it is stored, and the form stays.
    await page.getByRole('region', { name: 'Simulation' }).getByLabel('Owner').selectOption('demo');
    await page.getByLabel('Contributions', { exact: true }).fill('1000');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('Deepest deficit: the risk').waitFor();
    expect(await part.inputValue()).toBe('0.9');
    await expectNoBarriers();
    await create();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await heading('Quiet night');
    expect(await page.getByLabel('Seed at activation').inputValue()).toBe('1234567.12345678');
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 240_000);

  it('compares two, and keeps the choice in the address', async () => {
    const { page, heading, faults, expectNoBarriers } = world();
    await page.getByRole('link', { name: 'Compare' }).click();
    await heading('Compare two templates');
    expect(new URL(page.url()).searchParams.get('one')).toBe('demo/quiet-night');
    await page.getByLabel('The other').selectOption('demo/three-pots');
    const row = page.getByRole('row').filter({ hasText: 'Pot main: Id' });
    await row.waitFor();
    expect(await row.textContent()).toBe('Pot main: Id"main""grand"');
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 120_000);

  it('changes, copies and retires one, and plays it before', async () => {
    const { page, heading, expectNoBarriers, faults } = world();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'Quiet night' }).click();
    await heading('Quiet night');
    const attempts = page.getByLabel('One win in so many attempts');
    await attempts.fill('200');
    await page.getByLabel('Contributions', { exact: true }).fill('20000');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.waitForURL(/simulation=/);
    const address = page.url();
    // It goes on where nobody looks.
    await page.getByRole('link', { name: 'Home' }).click();
    await heading('Home');
    await page.goto(address);
    await page.getByText('Deepest deficit: the risk').waitFor();
    await page.getByRole('columnheader', { name: 'Chance of the first contribution' }).waitFor();
    await expectNoBarriers();
    const dialog = page.getByRole('dialog');
    const done = async () => {
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    await attempts.fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save the template' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await attempts.getAttribute('aria-invalid')).toBe('true');
    await attempts.fill('300');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Quieter night');
    await dialog.getByRole('button', { name: 'Save the template' }).click();
    await done();
    await heading('Quieter night');
    expect(await attempts.inputValue()).toBe('300');
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await dialog.getByLabel('Id', { exact: true }).fill('night-copy');
    await dialog.getByLabel('Name', { exact: true }).fill('The copy');
    await dialog.getByRole('button', { name: 'Copy this template' }).click();
    await done();
    await heading('The copy');
    expect(await attempts.inputValue()).toBe('300');
    await page.getByRole('button', { name: 'Retire' }).click();
    await dialog.getByRole('button', { name: 'Retire this template' }).click();
    await done();
    const make = page.getByRole('button', { name: 'Make a jackpot' });
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    expect(await make.getAttribute('title')).toContain('retired');
    await expectNoBarriers();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'The copy' }).waitFor();
    await page.getByRole('button', { name: 'In use', exact: true }).click();
    await page.getByRole('link', { name: 'The copy' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Quieter night' }).waitFor();
    await page.getByRole('button', { name: 'Retired', exact: true }).click();
    await page.getByRole('link', { name: 'The copy' }).waitFor();
    expect(await page.getByRole('link', { name: 'Quieter night' }).count()).toBe(0);
    expect(faults).toEqual([]);
  }, 300_000);
}

const quietNight = {
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Percentage: 0.02 } },
  pots: [
    {
      id: 'main',
      contribution: { Percentage: 0.9 },
      seed_strategy: { initial_seed_value: '1234567.12345678' },
      pot_types: [{ HitRate: { max_magic_number: 500, cost_per_attempt: '0.1' } }],
    },
  ],
};
