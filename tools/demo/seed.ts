import { type Answer, type Api, DemoRefused, LanesMissing } from './api.ts';
import { createBackOff } from './back-off.ts';
import { type DemoJackpot, demoJackpots } from './catalogue.ts';
import {
  demoBrands,
  demoOperator,
  demoPublicBrand,
  demoRates,
  demoServiceUser,
  demoSources,
} from './fixtures.ts';

interface InstanceView {
  readonly id: string;
  readonly template_id: string;
  readonly name: string;
  readonly status: string;
}

interface SourceView {
  readonly owner_id: string;
  readonly source_id: string;
  readonly jackpots: readonly { readonly instance_id: string }[];
}

const pageLimit = 500;
/** An instance becomes Active only after its first epochs are committed, which takes a moment. */
const activationTries = 40;

/**
 * Creates what is missing of the demo, through the public API only, and leaves alone what is there: a second
 * start changes nothing.
 * @returns the instances' ids by template id.
 */
export async function seed(api: Api, adminToken: string, stopped: AbortSignal): Promise<Map<string, string>> {
  const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, adminToken);
  await ensureOwners(call);
  const present = await list<InstanceView>(call, `/config/instances?owner_id=${demoOperator}`);
  if (present.length === 0) await expect(call, 'PUT', '/config/currencies', ratesBody());
  await ensureSources(call);
  const instances = new Map<string, InstanceView>();
  for (const jackpot of demoJackpots) instances.set(jackpot.template.id, await ensureJackpot(call, jackpot));
  const ids = new Map([...instances].map(([template, instance]) => [template, instance.id]));
  for (const jackpot of demoJackpots) {
    const instance = instances.get(jackpot.template.id);
    if (instance?.status !== 'Pending') continue;
    await link(call, instance.id, jackpot, ids);
    await activate(call, instance.id, stopped);
  }
  return ids;
}

/** The service user with a password that works: the one that is known, else a new one. */
export async function ensureServiceUser(
  api: Api,
  adminToken: string,
  known: { readonly username: string; readonly password: string } | null | undefined,
  newPassword: () => string,
): Promise<{ username: string; password: string }> {
  if (known?.username === demoServiceUser) {
    const login = await api.call('POST', '/v1/auth/service', known);
    if (login.status === 200) return known;
  }
  const service = { username: demoServiceUser, password: newPassword() };
  await api.call('DELETE', `/config/service-users/${demoServiceUser}`, undefined, adminToken);
  const path = '/config/service-users';
  const brands = demoBrands.map((brand) => brand.brand);
  const body = { ...service, operator_id: demoOperator, brands };
  const created = await api.call('POST', path, body, adminToken);
  if (created.status !== 201) throw new DemoRefused('POST', path, created);
  return service;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

async function ensureOwners(call: Call): Promise<void> {
  const path = `/config/operators/${demoOperator}`;
  let operator = await call('GET', path);
  if (operator.status === 404) {
    await expect(call, 'POST', '/config/operators', [{ id: demoOperator, name: 'Demo' }]);
    operator = await call('GET', path);
  }
  if (operator.status !== 200) throw new DemoRefused('GET', path, operator);
  const known = new Set(
    (operator.body as { brands: { id: string }[] }).brands.map((brand) => lastPart(brand.id)),
  );
  const missing = demoBrands.filter((brand) => !known.has(brand.id));
  if (missing.length > 0)
    await expect(
      call,
      'POST',
      `${path}/brands`,
      missing.map(({ id, name }) => ({ id, name })),
    );
  // Its pots are those of the gallery, and of visitors without a session.
  const open = { public_feed: true, public_winners: true };
  if (!isOpen(operator.body)) await expect(call, 'PATCH', `${path}/brands/${demoPublicBrand}`, open);
}

function isOpen(operator: unknown): boolean {
  const { brands } = operator as { brands: { id: string; public_feed?: true }[] };
  return brands.some((brand) => lastPart(brand.id) === demoPublicBrand && brand.public_feed === true);
}

async function ensureSources(call: Call): Promise<void> {
  for (const owner of [demoOperator, ...demoBrands.map(({ brand }) => brand)]) {
    const present = await list<SourceView>(call, `/config/sources?owner_id=${owner}`);
    const wanted = demoSources.filter(
      (source) => owner === demoOperator || demoJackpots.some(isBoundTo(owner, source.id)),
    );
    const missing = wanted.filter(
      (source) => !present.some((known) => known.source_id === source.id && known.owner_id === owner),
    );
    if (missing.length === 0) continue;
    const body = missing.map((source) => ({
      owner_id: owner,
      source_id: source.id,
      source_name: source.name,
      jackpots: [],
    }));
    await expect(call, 'POST', '/config/sources', body);
  }
}

const isBoundTo = (owner: string, source: string) => (jackpot: DemoJackpot) =>
  jackpot.sourceOwner === owner && jackpot.source === source;

async function ensureJackpot(call: Call, jackpot: DemoJackpot): Promise<InstanceView> {
  const templatePath = `/config/templates/${demoOperator}/${jackpot.template.id}`;
  if ((await call('GET', templatePath)).status === 404)
    await expect(call, 'POST', '/config/templates', jackpot.template);
  const instance = (await instanceOf(call, jackpot)) ?? (await createInstance(call, jackpot));
  if (jackpot.source !== null) await bind(call, jackpot.sourceOwner, jackpot.source, instance.id);
  return instance;
}

async function link(
  call: Call,
  instance: string,
  jackpot: DemoJackpot,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  if (jackpot.links.length === 0) return;
  const links = jackpot.links.map((template) => ids.get(template));
  await expect(call, 'PUT', `/config/instances/${instance}/links`, { instance_ids: links });
}

/** Others may have made instances of the same template: the demo's has its name, or is the only one. */
async function instanceOf(call: Call, jackpot: DemoJackpot): Promise<InstanceView | undefined> {
  const present = await list<InstanceView>(call, `/config/instances?owner_id=${demoOperator}`);
  const alike = present.filter((instance) => instance.template_id === jackpot.template.id);
  return (
    alike.find((instance) => instance.name === jackpot.instanceName) ??
    (alike.length === 1 ? alike[0] : undefined)
  );
}

async function createInstance(call: Call, jackpot: DemoJackpot): Promise<InstanceView> {
  const created = await expect(call, 'POST', '/config/instances', {
    template_owner_id: demoOperator,
    template_id: jackpot.template.id,
    owner_id: demoOperator,
    name: jackpot.instanceName,
    description: jackpot.description,
    ...(jackpot.source === null ? {} : { game_code: jackpot.source }),
  });
  return created as InstanceView;
}

async function bind(call: Call, owner: string, source: string, instance: string): Promise<void> {
  const present = await list<SourceView>(call, `/config/sources?owner_id=${owner}&source_id=${source}`);
  const bound = present.some((view) => view.jackpots.some((jackpot) => jackpot.instance_id === instance));
  if (bound) return;
  const body = { owner_id: owner, source_id: [source], instance_id: instance };
  await expect(call, 'POST', '/config/sources/assign', body);
}

async function activate(call: Call, instance: string, stopped: AbortSignal): Promise<void> {
  const path = `/config/instances/${instance}/status`;
  const backOff = createBackOff();
  for (let tries = 1; ; tries++) {
    const answer = await call('POST', path, { status: 'Active', reason: 'The demo starts.' });
    if (answer.status === 200) return;
    const view = await call('GET', `/config/instances/${instance}`);
    if ((view.body as InstanceView).status === 'Active') return;
    if (tries === activationTries) throw new DemoRefused('POST', path, answer);
    await backOff.wait(stopped);
  }
}

async function list<T>(call: Call, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 0; ; page += 1) {
    const answer = await call('GET', `${path}&page=${page}&limit=${pageLimit}`);
    if (answer.status >= 300) throw new DemoRefused('GET', path, answer);
    // What is missing in such a list may be there: it must not be made a second time.
    if (answer.incomplete === true) throw new LanesMissing(`${path} is not whole: a lane does not serve.`);
    const entries = answer.body as T[];
    found.push(...entries);
    if (entries.length < pageLimit) return found;
  }
}

async function expect(call: Call, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await call(method, path, body);
  if (answer.status >= 300) throw new DemoRefused(method, path, answer);
  return answer.body;
}

/** A brand's id may be shown alone or as the path `operator:brand`. */
function lastPart(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}

/** Multipliers stay decimal strings: they are exact. */
function ratesBody() {
  return { base_currency: 'EUR', multipliers: demoRates };
}
