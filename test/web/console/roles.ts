import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { type AdministratorRole, administratorRoles } from '../../../src/contracts/accounts/users.ts';
import { patienceMs } from '../../support/chromium.ts';
import { award } from '../on-one-system/award.ts';
import type { World } from './world.ts';

/** Every role at every address: what is shown, and which buttons can be pressed, is what the gateway allows. */

/** A request that nothing comes of, whoever sends it: what it names is not there. */
interface Probe {
  readonly request: string;
  readonly body?: unknown;
}

interface Screen {
  readonly path: string;
  /** What it asks first; whoever may not is shown why. */
  readonly reads: string;
  /** Buttons by their names, each with the request that it leads to; null: it is about the own account. */
  readonly buttons: Readonly<Record<string, Probe | null>>;
}

const nobody = 'not-there';
const nothing = '00000000-0000-4000-8000-000000000000';
const change = { request: `PATCH /config/users/${nobody}`, body: { enabled: false } };
const changeService = { request: `PATCH /config/service-users/${nobody}`, body: { enabled: false } };
const decided = { body: { reason: 'a test' } };
const status = {
  request: `POST /config/instances/${nobody}/status`,
  body: { status: 'Paused', reason: 'a test' },
};
const replay = { request: `POST /config/deliveries/${nothing}/replay` };
const wallet = {
  request: `PUT /config/operators/${nobody}/brands/x/wallet`,
  body: {
    base_url: 'https://wallet.example/',
    bearer_key: 'a bearer key'.replaceAll(' ', '-'),
    hmac_secret: 'a secret of 16 characters',
    provider_id: 'p',
  },
};
const certificate = {
  request: `${wallet.request}/certificate`,
  body: {
    base_url: 'https://x.example/',
    verified_timestamp: 0,
    version: '1',
    passed: 1,
    failed: [],
    skipped: [],
  },
};
const subscription = {
  request: 'POST /config/webhooks/subscriptions',
  body: { operator_id: nobody, url: 'https://x.example/', event_types: ['WinEvent'] },
};
const patch = { request: `PATCH /config/templates/${nobody}/x`, body: { retired: true } };
const simulate = {
  request: 'POST /config/simulations',
  body: { owner_id: nobody, template_id: 'x', contributions: 1 },
};
const template = {
  owner_id: nobody,
  id: 'x',
  name: 'x',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Percentage: 0.01 } },
  pots: [{ id: 'p', contribution: { Percentage: 0.5 } }],
};

/** `{jackpot}` and `{approval of …}` are ids of the running system. */
function screensOf(role: AdministratorRole, ids: Readonly<Record<string, string>>): readonly Screen[] {
  const origin = { operator_id: nobody, origin: 'https://x.example' };
  const approve = (id: string | undefined) => ({
    request: `POST /config/approvals/${id}/approve`,
    body: { not: 'what was proposed' },
  });
  return [
    { path: '', reads: '/config/settlements', buttons: {} },
    { path: 'jackpots', reads: '/config/instances', buttons: {} },
    {
      path: `jackpots/${ids.jackpot}`,
      reads: `/config/instances/${ids.jackpot}`,
      buttons: { Pause: status },
    },
    {
      path: 'templates',
      reads: '/config/templates',
      buttons: { 'New template': { request: 'POST /config/templates', body: template } },
    },
    {
      path: 'templates/new',
      reads: '/config/templates',
      buttons: { Create: { request: 'POST /config/templates', body: template }, Simulate: simulate },
    },
    {
      path: 'templates/demo/three-pots',
      reads: '/config/templates/demo/three-pots',
      buttons: {
        'Make a jackpot': {
          request: 'POST /config/instances',
          body: { template_owner_id: 'demo', template_id: 'three-pots', owner_id: nobody, name: 'x' },
        },
        Save: patch,
        'Make a copy': {
          request: `POST /config/templates/${nobody}/x/copies`,
          body: { id: 'y' },
        },
        Retire: patch,
        Simulate: simulate,
      },
    },
    { path: 'templates/compare', reads: '/config/templates', buttons: {} },
    {
      path: 'money?state=unknown',
      reads: '/config/settlements',
      buttons: {
        Retry: { request: `POST /config/settlements/${nothing}/retry`, ...decided },
        Resolve: { request: `POST /config/settlements/${nothing}/resolve`, ...decided },
      },
    },
    {
      path: 'approvals',
      reads: '/config/approvals',
      buttons: {
        'webhook-origins Approve': approve(ids.origin),
        'webhook-origins Reject': approve(ids.origin),
        'brands Approve': approve(ids.brand),
        'brands Reject': approve(ids.brand),
      },
    },
    { path: 'winners', reads: '/config/wins', buttons: {} },
    { path: 'players', reads: '/config/operators', buttons: {} },
    { path: 'players/demo:main/bruno', reads: '/config/players/bruno?brand_id=demo:main', buttons: {} },
    { path: 'deliveries?state=pending', reads: '/config/deliveries', buttons: { 'Send again': replay } },
    {
      path: 'webhooks?operator=demo',
      reads: '/config/webhooks/subscriptions?owner_id=demo',
      buttons: {
        'Subscribe an address': subscription,
        'Allow pages': {
          request: 'PUT /config/cors/origins',
          body: {
            operator_id: nobody,
            cors_origin_list: [{ pattern: 'https://x.example', match_mode: 'exact' }],
          },
        },
        Change: {
          request: `PATCH /config/webhooks/subscriptions/${nothing}`,
          body: { event_types: ['WinEvent'] },
        },
        Remove: { request: `DELETE /config/webhooks/subscriptions/${nothing}` },
      },
    },
    {
      path: 'reports',
      reads: '/config/reports/daily?from=2026-01-01&to=2026-01-02',
      buttons: {},
    },
    { path: 'audit', reads: '/config/audit', buttons: {} },
    {
      path: 'system',
      reads: '/config/lanes',
      buttons: {
        Move: { request: 'PUT /config/lanes/0/owner', body: { host_id: nobody } },
        Drain: { request: `PUT /config/hosts/${nobody}/drain` },
      },
    },
    {
      path: 'access?part=administrators',
      reads: '/config/users',
      buttons: {
        'Add an administrator': {
          request: 'POST /config/users',
          body: { username: 'x', password: 'long enough', roles: [role], owners: [nobody] },
        },
        Change: change,
        Disable: change,
        'Reset second factor': { request: `DELETE /config/users/${nobody}/second-factor` },
      },
    },
    {
      path: 'access?part=services',
      reads: '/config/service-users',
      buttons: {
        'Add a service user': {
          request: 'POST /config/service-users',
          body: { username: 'x', password: 'long enough', operator_id: nobody },
        },
        Change: changeService,
        Disable: changeService,
        'New key': { request: `POST /config/service-users/${nobody}/keys`, body: {} },
        Remove: { request: `DELETE /config/service-users/${nobody}` },
      },
    },
    {
      path: 'access?part=wallets',
      reads: '/config/operators',
      buttons: { 'Set anew': wallet, 'Set a wallet': wallet, 'Record a certificate': certificate },
    },
    {
      path: 'access?part=origins',
      reads: '/config/webhook-origins',
      buttons: {
        'Register an origin': { request: 'POST /config/webhook-origins', body: origin },
        Remove: { request: 'DELETE /config/webhook-origins', body: origin },
      },
    },
    { path: 'access?part=keys', reads: '/.well-known/jwks.json', buttons: {} },
    {
      path: 'account',
      reads: '/auth/admin/me',
      buttons: { 'Change your password': null, 'Enrol a second factor': null, 'End all your sessions': null },
    },
  ];
}

/** Buttons that only show something, or change what is not stored. */
function isHarmless(name: string, url: string): boolean {
  if (/^(Show|Show more|Export|Copy|Try again|Message (before|after)|10? (minutes|hour|day) ago)$/.test(name))
    return true;
  return url.includes('/templates/') && /^(Add a pot|Add a way to win it|Remove|Remove this pot)$/.test(name);
}

export function rolesSeeTheirs(world: () => World): void {
  let ids: Readonly<Record<string, string>> = {};

  it('has something to decide about on each screen', async () => {
    const { system, asked, walletFails } = world();
    await walletFails([{ operation: 'W3', player_id: 'bruno', fault: 'drop', when: 'before' }]);
    await award(system, 'Final Whistle', 'bruno');
    const made = async (method: string, path: string, body: unknown, answered: number) => {
      const answer = await asked(method, path, body);
      expect([path, answer.status, answer.status === answered ? '' : await answer.text()]).toEqual([
        path,
        answered,
        '',
      ]);
      return answer.headers.get('x-approval-id') ?? '';
    };
    // Nobody listens there.
    await made('POST', '/config/webhook-origins', { operator_id: 'demo', origin: 'http://127.0.0.1:9' }, 201);
    await made(
      'POST',
      '/v1/webhooks/subscriptions',
      { operator_id: 'demo', url: 'http://127.0.0.1:9/', event_types: ['WinEvent'] },
      201,
    );
    // Before a rule makes accounts of the whole system wait.
    for (const role of administratorRoles)
      await made('POST', '/config/users', { ...personOf(role), roles: [role], owners: ['*'] }, 201);
    await made('POST', '/config/operators', [{ id: 'ruled', name: 'Ruled' }], 200);
    await made('PATCH', '/config/operators/ruled', { four_eyes: { enabled: true } }, 204);
    const origin = { operator_id: 'ruled', origin: 'https://x.example' };
    const [jackpot] = (await (await asked('GET', '/config/instances?name=Aurora')).json()) as {
      id: string;
    }[];
    ids = {
      jackpot: jackpot?.id ?? '',
      origin: await made('POST', '/config/webhook-origins', origin, 202),
      brand: await made('POST', '/config/operators/ruled/brands', [{ id: 'one', name: 'One' }], 202),
    };
    for (const [path, state] of [
      ['/config/settlements', 'unknown'],
      ['/config/deliveries', 'pending'],
    ])
      await vi.waitFor(
        async () => expect(await (await asked('GET', `${path}?state=${state}`)).json()).not.toEqual([]),
        { timeout: patienceMs, interval: 500 },
      );
  }, 300_000);

  it.each(administratorRoles)(
    'shows and offers to %s what the gateway allows',
    async (role) => {
      const { system, asked, tokenOf, logIn, faults } = world();
      const bearer = await tokenOf(personOf(role));
      const person = await logIn(personOf(role), '');
      for (const { path, reads, buttons } of screensOf(role, ids)) {
        await person.goto(`${system.baseUrl}/console/${path}`);
        await person.getByRole('heading', { level: 1 }).waitFor();
        await person
          .getByText(/^Loading /)
          .first()
          .waitFor({ state: 'detached' });
        const { status } = await asked('GET', reads, undefined, bearer);
        const isRefused = async () =>
          (await person.locator('main').getByText('You may not see this.').count()) > 0;
        await expect.poll(isRefused, { message: path, timeout: patienceMs }).toBe(status === 403);
        const offered = await offeredOn(person);
        const expected: Record<string, boolean> = {};
        for (const [name, probe] of Object.entries(buttons))
          if (status !== 403 || name in offered) expected[name] = await isAllowed(probe, bearer);
        expect([path, offered]).toEqual([path, expected]);
      }
      await person.context().close();
      expect(faults).toEqual([]);
    },
    300_000,
  );

  it('ends with nothing that waits', async () => {
    const { asked, walletFails } = world();
    await walletFails([]);
    for (const id of [ids.origin, ids.brand])
      expect((await asked('POST', `/config/approvals/${id}/reject`, {})).status).toBe(200);
  }, 120_000);

  async function isAllowed(probe: Probe | null, bearer: string): Promise<boolean> {
    if (probe === null) return true;
    const [method = '', path = ''] = probe.request.split(' ');
    const answer = await world().asked(method, path, probe.body, bearer);
    const { code } = (await answer.json()) as { readonly code: string };
    // What does not read says nothing of the role.
    expect([probe.request, /^invalid_(request|identifier|json)$/.test(code)]).toEqual([probe.request, false]);
    return code !== 'forbidden';
  }
}

function personOf(role: AdministratorRole) {
  return { username: `only-${role}`, password: `the password of ${role}` };
}

/** The buttons of the screen that change something, each with whether some row lets it be pressed. */
async function offeredOn(page: Page): Promise<Record<string, boolean>> {
  const found: readonly (readonly [name: string, row: string, canBePressed: boolean])[] =
    await page.evaluate(buttonsOf);
  const offered: Record<string, boolean> = {};
  for (const [name, row, canBePressed] of found) {
    if (isHarmless(name, page.url())) continue;
    // Of approvals the right is that to what was proposed.
    const [, of] = /\/config\/\S*(webhook-origins|brands)/.exec(row) ?? [];
    const key = of === undefined ? name : `${of} ${name}`;
    offered[key] = offered[key] === true || canBePressed;
  }
  return offered;
}

/** Text, because it runs in the page. */
const buttonsOf = `[...document.querySelectorAll('main button:not([aria-pressed])')].map((button) => [
  button.textContent,
  button.closest('tr')?.textContent ?? '',
  button.getAttribute('aria-disabled') !== 'true' && !button.matches(':disabled'),
])`;
