import { request } from 'node:http';
import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { type Ids, pathOf, type Row } from '../../gateway/api/tenancy/row.ts';
import { rows } from '../../gateway/api/tenancy/rows/index.ts';
import { type Credential, copyOf, ownIds, type TenancyWorld } from '../../gateway/api/tenancy/world.ts';
import { answerCheck } from '../../gateway/support/described.ts';

const undescribed = answerCheck(operations);
const nobody: Credential = { name: 'nobody', username: '', headers: {} };

/** A request about what `acme:main` has, and what of it is to be otherwise. */
export interface Asked {
  readonly operation: Operation;
  readonly ids?: Partial<Ids>;
  /** In place of one that may ask. */
  readonly caller?: Credential;
  /** Members of the body, or the body itself where it is text. */
  readonly body?: unknown;
  /** Flat, with repeats. */
  readonly headers?: readonly string[];
  /** In place of the row's inputs of these names. */
  readonly query?: Readonly<Record<string, string>>;
  /** In place of those of the row. */
  readonly path?: Readonly<Record<string, string>>;
  /** A body of this length that does not come. */
  readonly announcedBytes?: number;
  readonly port?: number;
}

export interface Seen {
  readonly status: number;
  readonly text: string;
}

/** Sends requests, and remembers the statuses with which each operation answered. */
export class Asking {
  readonly world: TenancyWorld;
  readonly #reached = new Map<Operation, Set<number>>();
  #count = 0;

  constructor(world: TenancyWorld) {
    this.world = world;
  }

  reached(operation: Operation): ReadonlySet<number> {
    return this.#reached.get(operation) ?? new Set();
  }

  fresh(): string {
    this.#count += 1;
    return `status-${this.#count}`;
  }

  /** Throws where the document does not describe the answer. */
  async send(asked: Asked): Promise<Seen> {
    const { operation } = asked;
    const row = rowOf(operation);
    const ids = { ...ownIds(this.world, this.fresh()), ...asked.ids };
    const asker = asked.caller ?? this.callerOf(operation);
    const caller = asked.caller === undefined && row.endsTokens ? await copyOf(this.world, asker) : asker;
    const target = pathOf(
      operation.path,
      { ...row, ...(asked.path === undefined ? {} : { path: () => asked.path! }) },
      ids,
    );
    const seen = await exchange(asked.port ?? this.world.port, {
      method: operation.method,
      path: withQuery(target, asked.query),
      headers: [...Object.entries({ ...caller.headers, ...row.headers }).flat(), ...(asked.headers ?? [])],
      body: asked.announcedBytes === undefined ? bodyOf(asked, row.body?.(ids, caller)) : undefined,
      announcedBytes: asked.announcedBytes ?? 0,
      type: operation.limits?.stream === true ? 'application/x-ndjson' : 'application/json',
      isEndless: operation.limits?.events === true && operation.surface === 'admin',
    });
    this.note(operation, target, seen);
    return seen;
  }

  note(operation: Operation, target: string, { status, text }: Seen): void {
    const fault = undescribed(operation.method, target, status, text);
    if (fault !== null) throw new Error(`Not as /v1/openapi.json says. ${fault}`);
    const statuses = this.#reached.get(operation) ?? new Set();
    this.#reached.set(operation, statuses.add(status));
  }

  /** Somebody who may ask it. */
  callerOf(operation: Operation): Credential {
    const { may, right } = rowOf(operation);
    if (may === 'anyone') return nobody;
    if (right !== undefined) return this.world.reporter('acme');
    if (typeof may === 'string') return this.world.service('acme');
    return this.world.administrator(may[0]!, '*');
  }
}

/** The row of the tenancy matrix: a request that is right. */
export function rowOf({ method, path }: Operation): Row {
  const row = rows[`${method} ${path}`];
  if (row === undefined) throw new Error(`${method} ${path} has no row in test/gateway/api/tenancy/rows.`);
  return row;
}

export function operationOf(route: string): Operation {
  const found = operations.find(({ method, path }) => `${method} ${path}` === route);
  if (found === undefined) throw new Error(`There is no ${route}.`);
  return found;
}

function bodyOf({ operation, body }: Asked, usual: unknown): string | undefined {
  if (operation.input.body === undefined && body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body === undefined) return usual === undefined ? undefined : JSON.stringify(usual);
  return JSON.stringify(Array.isArray(body) ? body : { ...(usual as object), ...(body as object) });
}

function withQuery(target: string, query: Asked['query']): string {
  if (query === undefined) return target;
  const [path, present = ''] = target.split('?');
  const inputs = new URLSearchParams(present);
  for (const [name, value] of Object.entries(query)) inputs.set(name, value);
  return `${path}?${inputs}`;
}

interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly announcedBytes: number;
  /** Of a body whose type the headers do not say. */
  readonly type: string;
  /** A success has a head alone: what comes behind it has no end. */
  readonly isEndless: boolean;
}

function exchange(
  port: number,
  { method, path, headers, body, announcedBytes, type: usual, isEndless }: Wire,
): Promise<Seen> {
  const bytes = body === undefined ? announcedBytes : Buffer.byteLength(body);
  const hasType = headers.some((each) => each === 'Content-Type');
  const ofBody = method === 'GET' ? [] : ['Content-Length', String(bytes)];
  const type = bytes === 0 || hasType ? [] : ['Content-Type', usual];
  return new Promise((resolve, reject) => {
    // As a flat list: names may come twice.
    const flat = ['Host', 'localhost', ...headers, ...type, ...ofBody] as never;
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false, headers: flat });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      const end = (): void => {
        sent.off('error', reject).on('error', () => {});
        response.on('error', () => {});
        sent.destroy();
        resolve({ status: response.statusCode!, text });
      };
      if (isEndless && response.statusCode === 200) end();
      else response.on('end', end);
    });
    if (announcedBytes > 0) sent.flushHeaders();
    else sent.end(body);
  });
}
