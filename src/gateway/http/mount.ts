import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CsvFormat, ndjsonMediaType } from '../../contracts/bodies/body-formats.ts';
import { type CsvTable, readCsv } from '../base/csv.ts';
import { PublicError } from '../base/errors.ts';
import { parseBody } from '../base/json-body.ts';
import type { RequestKind } from '../base/request-durations.ts';
import type { PathInputs } from './fast-path/path-matcher.ts';
import type { BodyReader } from './read-body.ts';
import { nameRequest } from './request-observation.ts';
import { bodyFault, hasBody, isCsv } from './transport.ts';

/** A route: the server reads its requests, and the route says who is calling and answers. */
export interface HttpRoute<Caller = unknown> {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly kind: RequestKind;
  /** `bytes`: JSON that the route parses itself; `lines`: it reads them as they come. */
  readonly takes: 'nothing' | 'json' | 'bytes' | 'lines';
  readonly csv: CsvFormat | undefined;
  readonly maxBytes: number;
  readonly headersNotRead: readonly string[];
  /** Before the body is read. null: the caller is known once the body is. @throws PublicError */
  identify(request: IncomingMessage): Caller | null | Promise<Caller | null>;
  /** Resolves when a body of this length may be parsed; null: at once. */
  admit(caller: Caller, bytes: number): Promise<void> | null;
  handle(request: HttpRequest<Caller>, response: ServerResponse): void;
}

export interface HttpRequest<Caller = unknown> {
  readonly raw: IncomingMessage;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** null: not known before the body is read. */
  readonly caller: Caller | null;
  /** A body that came as CSV; null: it did not. */
  readonly table: CsvTable | null;
  /** As they were sent: what a signature covers. */
  readonly bodyBytes: Buffer | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: unknown;
    table: CsvTable | null;
    bodyBytes: Buffer | null;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/** Fastify finds the route and runs the steps; the routes write the answers. */
export function mountRoutes(
  fastify: FastifyInstance,
  routes: readonly HttpRoute[],
  bodies: BodyReader,
): void {
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('bodyBytes', null);
  fastify.decorateRequest('table', null);
  fastify.removeAllContentTypeParsers();
  const read = (
    request: FastifyRequest,
    done: Done,
    parse: (bytes: Buffer, route: HttpRoute) => unknown,
  ): void => {
    const { route } = request.routeOptions.config as unknown as { readonly route: HttpRoute };
    bodies.read(request.raw, route.maxBytes, (error, bytes) => {
      if (error !== null) return done(error);
      request.bodyBytes = bytes;
      if (bytes === null && !isCsvFor(request.raw, route)) return done(null, undefined);
      const { caller } = request;
      const given = bytes ?? Buffer.alloc(0);
      const turn = caller === null ? null : route.admit(caller, given.length);
      const parsed = (): void => settleBody(() => parse(given, route), done);
      if (turn === null) parsed();
      else turn.then(parsed, done);
    });
  };
  fastify.addContentTypeParser('application/json', (request, _payload, done) =>
    read(request, done, (bytes, { takes }) => (takes === 'bytes' ? undefined : parseBody(bytes))),
  );
  fastify.addContentTypeParser(ndjsonMediaType, (_request, _payload, done) => done(null, undefined));
  fastify.addContentTypeParser('text/csv', (request, _payload, done) =>
    read(request, done, async (bytes, { csv }) => {
      if (csv === undefined) throw new PublicError('unsupported_media_type');
      request.table = await readCsv(bytes, csv);
    }),
  );
  for (const route of routes)
    fastify.route({
      method: route.method,
      url: route.path.replace(/\{([a-z_]+)\}/g, ':$1'),
      config: { route } as object,
      onRequest: requestHook(route),
      handler: (request: FastifyRequest, reply: FastifyReply) => route.handle(request, reply.raw),
    });
}

function settleBody(parse: () => unknown, done: Done): void {
  try {
    const body = parse();
    if (body instanceof Promise) body.then((value) => done(null, value), done);
    else done(null, body);
  } catch (fault) {
    done(fault as Error);
  }
}

/** Transport, then who is calling. */
function requestHook(route: HttpRoute) {
  const { takes } = route;
  const bodyKind = takes === 'lines' ? 'lines' : route.csv === undefined ? 'json' : 'json or csv';
  return (request: FastifyRequest, { raw: response }: FastifyReply, done: (error?: Error) => void): void => {
    const { raw } = request;
    nameRequest(response, route.kind, route);
    try {
      // The router takes nothing between two slashes for an input; the fast path does not.
      if (takes === 'bytes' && Object.values(request.params as PathInputs).includes(''))
        throw new PublicError('route_not_found');
      const unread = route.headersNotRead.find((name) => raw.headers[name] !== undefined);
      if (unread !== undefined)
        throw new PublicError('invalid_request', `This operation does not read ${unread}.`);
      // Without a body its type says nothing, whatever it is.
      if (takes !== 'nothing' && !hasBody(raw) && !isCsvFor(raw, route)) delete raw.headers['content-type'];
      const fault = takes === 'nothing' ? null : bodyFault(raw, route.maxBytes, bodyKind);
      if (fault !== null) throw new PublicError(fault);
      const caller = route.identify(raw);
      if (caller instanceof Promise) {
        const admitted = caller.then((known) => {
          request.caller = known;
        });
        admitted.then(() => done(), done);
        return;
      }
      request.caller = caller;
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** An empty body of CSV is a body all the same: one that lacks the header. */
function isCsvFor({ headers }: IncomingMessage, { csv }: HttpRoute): boolean {
  return csv !== undefined && isCsv(headers['content-type']);
}

/**
 * An input without a value is absent, so that an unknown one is refused all the same. The router takes a
 * wrong percent-encoding for the text itself; in a path it is an error of HTTP.
 */
export function decodedQuery({ raw, query }: HttpRequest): unknown {
  const { url } = raw as { url: string };
  const question = url.indexOf('?');
  if (question < 0) return query;
  try {
    decodeURIComponent(url.slice(question + 1));
  } catch {
    throw new PublicError('invalid_parameter');
  }
  const given = Object.entries(query as Readonly<Record<string, string | string[]>>);
  return Object.fromEntries(given.map(([name, value]) => [name, withoutEmpty(value)]));
}

function withoutEmpty(value: string | string[]): string | string[] | undefined {
  if (typeof value === 'string') return value || undefined;
  const values = value.filter((each) => each !== '');
  return values.length > 1 ? values : values[0];
}
