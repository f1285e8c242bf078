import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuplicateMember, isContinuationPage, parsePublic } from '../../verifier/src/index.ts';
import { type Credential, headersOf } from './credential.ts';
import { SourceError } from './source-error.ts';

/** An epoch as its public data says it, with what was found around it. */
export interface FoundEpoch {
  /** Its pages as far as they are at hand, the first one first. */
  readonly pages: readonly unknown[];
  /** Fetches a missing page; null: there is no system to ask. */
  readonly fetchPage: ((page: number) => Promise<unknown>) | null;
  /** The header of the next epoch; null where it is not at hand. */
  readonly nextHeader: unknown;
}

/** A system that shows epochs. */
export interface System {
  readonly baseUrl: URL;
  readonly credential: Credential | null;
}

/** An epoch by GET …/epochs. */
export interface ListedEpoch {
  readonly epoch: number;
  readonly state: string;
  readonly commit: string | null;
}

const answerTimeoutMs = 120_000;
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);
const maxTries = 6;
const pauseMs = 300;
const epochsAPage = 50;
const maxPages = 20_000;

/**
 * A saved file: one epoch, or a list of them, each followed by its further pages. `-` is the standard input.
 */
export async function epochsOfFile(path: string): Promise<readonly FoundEpoch[]> {
  const json = parsed(await textOfFile(path), path);
  const found = Array.isArray(json) ? json : [json];
  if (found.length === 0) throw new SourceError(`${path} holds no epoch.`);
  const epochs: unknown[][] = [];
  for (const each of found) {
    const pages = epochs.at(-1);
    if (pages !== undefined && isContinuationPage(each)) pages.push(each);
    else epochs.push([each]);
  }
  return epochs.map((pages, index) => ({
    pages,
    fetchPage: null,
    nextHeader: headerOf(epochs[index + 1]?.[0]),
  }));
}

/** The epochs that a system lists for an instance, by number. */
export async function listEpochs(system: System, instance: string): Promise<readonly ListedEpoch[]> {
  const { baseUrl } = system;
  const listed: ListedEpoch[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const path = `${pathOf(instance)}?limit=${epochsAPage}&page=${page}`;
    const found = await get(system, path);
    if (!Array.isArray(found)) throw new SourceError(`${new URL(path, baseUrl)} is not a list of epochs.`);
    listed.push(...(found as ListedEpoch[]));
    if (found.length < epochsAPage) return listed;
  }
  throw new SourceError(`${baseUrl} lists more than ${maxPages * epochsAPage} epochs.`);
}

export async function fetchEpoch(system: System, instance: string, epoch: number): Promise<FoundEpoch> {
  const json = await get(system, `${pathOf(instance)}/${epoch}`);
  // A neighbour that is not there is not a fault of this epoch.
  const next = await get(system, `${pathOf(instance)}/${epoch + 1}`, headerOnly).catch(
    nothingWhereUnreadable,
  );
  const fetchPage = (page: number) => get(system, `${pathOf(instance)}/${epoch}?page=${page}`);
  return { pages: [json], fetchPage, nextHeader: headerOf(next) };
}

function nothingWhereUnreadable(error: unknown): null {
  if (error instanceof SourceError || error instanceof DuplicateMember) return null;
  throw error;
}

const needsToken =
  'Its operator shows draws to its own players, services and administrators: give a token by POTSTREAM_VERIFY_TOKEN or --token-file.';

/** Enough of an epoch's answer for its header: all of it, where it is not revealed. */
const headerOnly = { maxBytes: 64 * 1024 * 1024 };

async function get(
  { baseUrl, credential }: System,
  path: string,
  { maxBytes } = { maxBytes: 1024 * 1024 * 1024 },
): Promise<unknown> {
  const url = new URL(path, baseUrl);
  try {
    if (typeof credential?.brand === 'string') url.searchParams.set('brand_id', credential.brand);
    const response = await patiently(url, headersOf(credential));
    const length = Number(response.headers.get('content-length') ?? '0');
    if (length > maxBytes) throw new SourceError(`${url} is too large.`);
    const text = await response.text();
    if (!response.ok) {
      const hint = response.status === 401 ? ` ${needsToken}` : '';
      throw new SourceError(`${url} answers ${response.status}: ${text.slice(0, 200)}${hint}`);
    }
    return parsed(text, url.href);
  } catch (error) {
    if (error instanceof SourceError || error instanceof DuplicateMember) throw error;
    throw new SourceError(`${url} cannot be read: ${reasonOf(error)}`);
  }
}

/** A system that has too much to do is asked again. */
async function patiently(url: URL, headers: Record<string, string>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    // A token is for the system that was named and for no other.
    const redirect = Object.keys(headers).length === 0 ? 'follow' : 'error';
    const response = await fetch(url, { signal, headers, redirect });
    if (!busyStatuses.has(response.status) || tries === maxTries) return response;
    await response.body?.cancel();
    await sleep(tries * pauseMs);
  }
}

function pathOf(instance: string): string {
  return `/v1/fairness/instances/${encodeURIComponent(instance)}/epochs`;
}

async function textOfFile(path: string): Promise<string> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path, 'utf8');
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return parsePublic(text);
  } catch (error) {
    if (error instanceof DuplicateMember) throw new DuplicateMember(`${name}: ${error.message}`);
    throw new SourceError(`${name} is not JSON: ${reasonOf(error)}`);
  }
}

function headerOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'header' in json ? json.header : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
