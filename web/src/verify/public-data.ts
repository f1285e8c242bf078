/** What is public of an instance's epochs, from this origin only. */
export interface ListedEpoch {
  readonly epoch: number;
  readonly state: 'committed' | 'running' | 'ended' | 'revealed';
  readonly commit: string | null;
  readonly first_sequence: number | null;
  readonly last_sequence: number | null;
  /** Its draws can be read. */
  readonly published: boolean;
  /** Of a running one: when it ends at the latest. */
  readonly timestamp_end: number | null;
}

export interface KnownInstance {
  readonly instance: string;
  readonly name: string;
}

/** A neighbour is read for its ends only, so it is left where it is larger than a page should be. */
const maxNeighbourBytes = 16 * 1024 * 1024;
const requestTimeoutMs = 120_000;
const shownEpochs = 100;
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);
const maxTries = 6;
const pauseMs = 300;

/** An answer that is no success, in words. */
export class NoData extends Error {}

/** The operator shows its draws to its own players, services and administrators. */
export class TokenNeeded extends NoData {}

/** What proves that one is one of them. It stays in this page. */
export interface Credential {
  readonly token: string;
  /** The path of the brand whose player's token it is; empty: it is a service's or an administrator's. */
  readonly brand: string;
}

export const noCredential: Credential = { token: '', brand: '' };

let credential = noCredential;

/** Of every further request for epochs. */
export function showCredential(shown: Credential): void {
  credential = shown;
}

/** The newest first. */
export async function listEpochs(instance: string): Promise<readonly ListedEpoch[]> {
  const response = await get(`${epochsPath(instance)}?limit=${shownEpochs}&sort_direction=-1`);
  return (await response.json()) as ListedEpoch[];
}

/** A page of an epoch. A small epoch has the first one only, another says in it how many there are. */
export async function readEpoch(instance: string, epoch: number, page = 0): Promise<string> {
  const which = page === 0 ? '' : `?page=${page}`;
  return await (await get(`${epochsPath(instance)}/${epoch}${which}`)).text();
}

/** The epoch's members, where it is there and small enough to be read beside another; else null. */
export async function readNeighbour(
  instance: string,
  epoch: number,
): Promise<Record<string, unknown> | null> {
  if (epoch < 0) return null;
  try {
    const response = await get(`${epochsPath(instance)}/${epoch}`);
    if (Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > maxNeighbourBytes) {
      await response.body?.cancel();
      return null;
    }
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The demo's jackpots, to choose from; none where there is no demo. */
export async function knownInstances(): Promise<readonly KnownInstance[]> {
  try {
    const response = await get('/demo/session');
    const { jackpots } = (await response.json()) as { jackpots: { instance_id: string; name: string }[] };
    return jackpots.map(({ instance_id, name }) => ({ instance: instance_id, name }));
  } catch {
    return [];
  }
}

async function get(path: string): Promise<Response> {
  let response = await asked(path);
  // A system that has too much to do is asked again: a large epoch has many pages.
  for (let tries = 1; busyStatuses.has(response.status) && tries < maxTries; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, tries * pauseMs));
    response = await asked(path);
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { readonly message?: string };
  if (response.status === 401) throw new TokenNeeded(tokenNeeded);
  throw new NoData(body.message ?? `The system answers ${response.status}.`);
}

async function asked(path: string): Promise<Response> {
  try {
    return await fetch(withBrand(path), {
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: { 'cache-control': 'no-cache', ...credentialHeaders(path) },
    });
  } catch {
    throw new NoData('The system does not answer.');
  }
}

function epochsPath(instance: string): string {
  return `/v1/fairness/instances/${encodeURIComponent(instance)}/epochs`;
}

const tokenNeeded =
  'The operator of this jackpot shows its draws to its own players, services and administrators. Show one of their tokens.';

function isShownTo(path: string): boolean {
  return credential.token !== '' && path.startsWith('/v1/fairness/');
}

function withBrand(path: string): string {
  if (!isShownTo(path) || credential.brand === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}brand_id=${encodeURIComponent(credential.brand)}`;
}

function credentialHeaders(path: string): Record<string, string> {
  if (!isShownTo(path)) return {};
  const { brand, token } = credential;
  return brand === '' ? { authorization: `Bearer ${token}` } : { 'x-player-token': token };
}
