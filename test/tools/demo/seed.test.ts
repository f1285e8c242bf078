import { describe, expect, it } from 'vitest';
import { configuration } from '../../../src/contracts/configuration/configuration.ts';
import { withoutAbsent } from '../../../src/contracts/fields/configuration-fields.ts';
import { checkConfiguration } from '../../../src/jackpot/rules/configuration/parse.ts';
import { demoJackpots } from '../../../tools/demo/catalogue.ts';
import { ensureServiceUser, seed } from '../../../tools/demo/seed.ts';
import { createFakeApi } from './fake-api.ts';

const never = new AbortController().signal;

describe('seeding the demo', () => {
  it('creates every jackpot, bound to its source and active', async () => {
    const api = createFakeApi();
    const ids = await seed(api, 'token', never);
    expect([...ids.keys()]).toEqual(demoJackpots.map((jackpot) => jackpot.template.id));
    const { body } = await api.call('GET', '/config/instances');
    expect((body as { status: string }[]).map((instance) => instance.status)).toEqual(
      demoJackpots.map(() => 'Active'),
    );
  });

  it('changes nothing when everything is there', async () => {
    const api = createFakeApi();
    const first = await seed(api, 'token', never);
    api.changes.length = 0;
    expect(await seed(api, 'token', never)).toEqual(first);
    expect(api.changes).toEqual([]);
  });

  it("leaves others' instances of its templates alone", async () => {
    const api = createFakeApi();
    const first = await seed(api, 'token', never);
    for (const { template } of demoJackpots)
      await api.call('POST', '/config/instances', { template_id: template.id, name: "somebody's" });
    api.changes.length = 0;
    expect(await seed(api, 'token', never)).toEqual(first);
    expect(api.changes).toEqual([]);
  });

  it('goes on where an interrupted start stopped', async () => {
    const api = createFakeApi();
    await api.call('POST', '/config/operators', [{ id: 'demo', name: 'Demo' }]);
    await api.call('POST', '/config/templates', demoJackpots[0]?.template);
    await seed(api, 'token', never);
    expect(api.changes.filter((change) => change === 'POST /config/operators')).toHaveLength(1);
    expect(api.changes.filter((change) => change === 'POST /config/templates')).toHaveLength(
      demoJackpots.length,
    );
  });

  it('waits until the first epochs of an instance are committed', async () => {
    const api = createFakeApi();
    api.slowActivations = 2;
    await seed(api, 'token', never);
    expect(api.changes.filter((change) => change.endsWith('/status'))).toHaveLength(demoJackpots.length + 2);
  });

  it('keeps a service user whose password works, and replaces one whose password is lost', async () => {
    const api = createFakeApi();
    const first = await ensureServiceUser(api, 'token', null, () => 'first password');
    expect(await ensureServiceUser(api, 'token', first, () => 'second password')).toEqual(first);
    const replaced = await ensureServiceUser(api, 'token', null, () => 'third password');
    expect(replaced.password).toBe('third password');
  });
});

interface Pot {
  readonly contribution: { readonly Percentage: number };
  readonly seed_contribution: { readonly Percentage: number };
  readonly seed_strategy: { readonly min_reseed_value: number };
  readonly pot_types: readonly {
    readonly HitRate?: { readonly max_magic_number: number; readonly cost_per_attempt: number };
  }[];
}

describe('the figures of the catalogue', () => {
  it('are configurations that the administration takes and the engine runs, without a warning', () => {
    for (const { template } of demoJackpots) {
      const { owner_id, id, name, description, ...members } = template;
      const document = withoutAbsent(configuration.parse(members));
      expect(checkConfiguration(document)).toMatchObject({ faults: [], warnings: [] });
    }
  });

  it('share out exactly a whole contribution', () => {
    for (const { template } of demoJackpots) {
      const house = template.house_pot as { contribution_type: { Percentage: number } };
      const shares = potsOf(template).map((pot) => pot.contribution.Percentage);
      const all = [house.contribution_type.Percentage, ...shares];
      expect(all.reduce((sum, share) => sum + Math.round(share * 1000), 0)).toBe(1000);
    }
  });

  it('collect the reseed of each drawn pot before it is won', () => {
    for (const pot of demoJackpots.flatMap((jackpot) => potsOf(jackpot.template))) {
      const trigger = pot.pot_types[0]?.HitRate;
      if (trigger === undefined) continue;
      const perCycle = trigger.max_magic_number * trigger.cost_per_attempt;
      const collected = perCycle * pot.contribution.Percentage * pot.seed_contribution.Percentage;
      expect(collected).toBeGreaterThanOrEqual(pot.seed_strategy.min_reseed_value);
    }
  });
});

function potsOf(template: Readonly<Record<string, unknown>>): readonly Pot[] {
  return template.pots as readonly Pot[];
}
