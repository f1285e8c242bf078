import { Client, type Dispatcher } from 'undici';
// @ts-expect-error It has no types.
import symbols from 'undici/lib/core/symbols.js';

const { kParser, kSocket } = symbols as Readonly<Record<'kParser' | 'kSocket', symbol>>;

/** What is used of undici's parser of one connection. */
interface Parser {
  readonly llhttp: Readonly<Record<`llhttp_set_lenient_${string}`, (pointer: number, on: 1) => void>>;
  readonly ptr: number;
  contentLength: string;
  onHeadersComplete(status: number, upgrade: boolean, keepsAlive: boolean): number;
}

const continues = 100;
const processing = 102;
/** They have no body, whatever length they name. */
const withoutBody = new Set([204, 304]);

/**
 * Has undici read what RFC 9110 and RFC 9112 ask a client to read: an unexpected `100 Continue` (9110, 15.2),
 * 204 and 304 that name a length (9112, 6.3), fields on several lines (9112, 5.2) and spaces within the head
 * of a chunk (9112, 7.1.1). There is no setting for it, so this reaches for the parser of each connection.
 */
export function readTolerantly(dispatcher: Dispatcher): void {
  dispatcher.on('connect', (_, targets) => {
    const client = targets.at(-1);
    if (client instanceof Client) soften(parserOf(client));
  });
}

function parserOf(client: Client): Parser {
  const { [kSocket]: socket } = client as unknown as Record<symbol, Record<symbol, Parser>>;
  return socket![kParser]!;
}

function soften(parser: Parser): void {
  const { llhttp, ptr } = parser;
  llhttp.llhttp_set_lenient_headers!(ptr, 1);
  llhttp.llhttp_set_lenient_spaces_after_chunk_size!(ptr, 1);
  // What follows an interim answer that says the connection will end.
  llhttp.llhttp_set_lenient_keep_alive!(ptr, 1);
  const read = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, upgrade, keepsAlive) => {
    if (withoutBody.has(status)) parser.contentLength = '';
    // undici skips all other interim answers.
    return read(status === continues ? processing : status, upgrade, keepsAlive);
  };
}
