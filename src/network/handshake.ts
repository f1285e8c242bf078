/** The headers of a request by their names in lower case; each line that came is one value. */
export type HeaderValues = Readonly<Record<string, readonly string[] | undefined>>;

/** Why a request opens no websocket: it asks for none of this version, or breaks a rule of the handshake. */
export type HandshakeFault = 'upgrade_required' | 'malformed_http';

/** How many lines of a list, and elements of a line, are looked at: commas are cheap to send. */
const maxElements = 64;
/** RFC 9110, 5.6.2. */
const tokenCharacter = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
const token = `${tokenCharacter}+`;
/** 16 bytes in base64. */
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const protocolPattern = new RegExp(`^${token}$`);
/** RFC 6455, 9.1: a quoted value is a token too. */
const parameter = `${token}(?:[ \\t]*=[ \\t]*(?:${token}|"(?:\\\\?${tokenCharacter})+"))?`;
const extensionPattern = new RegExp(`^${token}(?:[ \\t]*;[ \\t]*${parameter})*$`);

interface HandshakeRequest {
  readonly method: string;
  readonly httpVersion: string;
  readonly headers: HeaderValues;
}

/** What a server must refuse before it answers 101 (RFC 6455, 4.2; RFC 9112, 3.2). null: nothing. */
export function handshakeFault(request: HandshakeRequest): HandshakeFault | null {
  const { headers } = request;
  if (!asksForWebsocket(request) || headers['sec-websocket-version']?.[0] !== '13') return 'upgrade_required';
  return isWellFormed(headers) ? null : 'malformed_http';
}

/** Whether a request asks for a websocket, of whatever version. */
export function asksForWebsocket({ method, httpVersion, headers }: HandshakeRequest): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    elementsOf(headers.upgrade).some((element) => element.toLowerCase() === 'websocket') &&
    elementsOf(headers.connection).some((element) => element.toLowerCase() === 'upgrade')
  );
}

function isWellFormed(headers: HeaderValues): boolean {
  const isSingle = (name: string): boolean => headers[name]?.length === 1;
  const key = headers['sec-websocket-key']?.[0] ?? '';
  const protocols = elementsOf(headers['sec-websocket-protocol']);
  return (
    isSingle('sec-websocket-version') &&
    isSingle('sec-websocket-key') &&
    keyPattern.test(key) &&
    isSingle('host') &&
    headers.host?.[0] !== '' &&
    (headers.origin === undefined || isSingle('origin')) &&
    protocols.every((protocol) => protocolPattern.test(protocol)) &&
    new Set(protocols).size === protocols.length &&
    elementsOf(headers['sec-websocket-extensions']).every((extension) => extensionPattern.test(extension)) &&
    !announcesBody(headers)
  );
}

/** The bytes of a body would be read as frames. */
export function announcesBody(headers: HeaderValues): boolean {
  const lengths = headers['content-length'] ?? [];
  return headers['transfer-encoding'] !== undefined || lengths.some((length) => length !== '0');
}

/** The elements of a list, in any number of lines (RFC 9110, 5.6.1); empty ones do not count. */
function elementsOf(lines: readonly string[] | undefined): string[] {
  const elements = (lines ?? []).slice(0, maxElements).flatMap((line) => line.split(',', maxElements));
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}
