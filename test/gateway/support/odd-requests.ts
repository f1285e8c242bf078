/** Requests as nobody should send them, from a seed: whole, cut, doubled, misspelt; each ends its connection's sending side. */
export interface OddConnection {
  /** Packets; `$TOKEN` stands for a service's token. */
  readonly packets: readonly string[];
  readonly player: string;
}

export class OddRequests {
  #state: number;
  #count = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): OddConnection {
    this.#count += 1;
    const player = `odd-${this.#count}`;
    if (this.#chance(0.35)) return this.#mixed(player);
    const requests = Array.from({ length: this.#pick([1, 1, 1, 2, 3]) }, () => this.#request(player));
    let bytes = requests.join('');
    if (this.#chance(0.08)) bytes = this.#damaged(bytes);
    if (this.#chance(0.06)) bytes = bytes.slice(0, this.#below(bytes.length));
    if (this.#chance(0.06)) bytes += this.#pick(garbage);
    else if (this.#chance(0.3)) bytes += 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    return { packets: this.#packets(bytes), player };
  }

  /** Plain requests, and between them what real clients and odd ones send: each in a packet, or several in one, or cut. */
  #mixed(player: string): OddConnection {
    const packets: string[] = [];
    for (let left = 3 + this.#below(5); left > 0; left -= 1) {
      const bytes = this.#chance(0.45)
        ? plainContribution(player)
        : this.#chance(0.7)
          ? this.#pick(ordinary)
          : this.#request(player);
      if (this.#chance(0.4) && packets.length > 0) packets.push(packets.pop() + bytes);
      else packets.push(bytes);
    }
    if (this.#chance(0.2)) packets.push(this.#pick(garbage));
    return { packets: packets.flatMap((packet) => this.#packets(packet)), player };
  }

  #request(player: string): string {
    return this.#chance(0.3) ? this.#lookup() : this.#contribution(player);
  }

  #lookup(): string {
    const target = `${this.#pick(lookups)}${this.#pick(queries)}`;
    const headers = this.#headers([
      'Host: a',
      ...(this.#chance(0.5) ? ['Authorization: Bearer $TOKEN'] : []),
    ]);
    return `${this.#line('GET', target)}\r\n${headers.join('\r\n')}\r\n\r\n`;
  }

  #contribution(player: string): string {
    const body = this.#body(player);
    const target = `${this.#pick(contributions)}${this.#chance(0.15) ? this.#pick(queries) : ''}`;
    const type = `Content-Type: ${this.#chance(0.1) ? this.#pick(types) : 'application/json'}`;
    const isChunked = this.#chance(0.12);
    const length = Buffer.byteLength(body, 'latin1') + (this.#chance(0.05) ? this.#below(9) - 4 : 0);
    const framing = isChunked
      ? `Transfer-Encoding: ${this.#chance(0.3) ? this.#pick(codings) : 'chunked'}`
      : `Content-Length: ${this.#chance(0.05) ? this.#pick([`0${length}`, `+${length}`, `${length} `, '', 'x', '-1', '99999999']) : length}`;
    const headers = this.#headers(['Host: a', 'Authorization: Bearer $TOKEN', type, framing]);
    const written = isChunked
      ? `${Buffer.byteLength(body, 'latin1').toString(16)}\r\n${body}\r\n0\r\n\r\n`
      : body;
    return `${this.#line('POST', target)}\r\n${headers.join('\r\n')}\r\n\r\n${written}`;
  }

  #line(method: string, target: string): string {
    if (this.#chance(0.9)) return `${method} ${target} HTTP/1.1`;
    const version = this.#pick(['1.0', '1.1', '1.2', '2.0', '0.9', '1.1 ', '']);
    const between = this.#pick([' ', ' ', '  ', '\t']);
    return `${this.#pick([method, method, 'PUT', 'HEAD', 'get', 'QUERY', 'DELETE'])}${between}${target} HTTP/${version}`;
  }

  #headers(plain: readonly string[]): string[] {
    const headers = [...plain];
    for (let more = this.#pick([0, 0, 0, 1, 2]); more > 0; more -= 1) {
      headers.splice(this.#below(headers.length + 1), 0, this.#pick(extras));
    }
    if (this.#chance(0.03)) headers.splice(this.#below(headers.length), 1);
    if (this.#chance(0.03) && headers.length > 0) headers.push(this.#pick(headers));
    return headers.map((header) => (this.#chance(0.04) ? this.#respelt(header) : header));
  }

  #respelt(header: string): string {
    const [name = '', ...value] = header.split(': ');
    return this.#pick([
      `${name.toUpperCase()}: ${value}`,
      `${name.toLowerCase()}:${value}`,
      `${name}:  \t${value}  `,
      `${name} : ${value}`,
      `${name}:\r\n ${value}`,
      ` ${name}: ${value}`,
      `${name}: ${value}\u00e9`,
      `${name}`,
    ]);
  }

  #body(player: string): string {
    const plain = {
      token: 'session',
      brand_id: 'main',
      player_id: player,
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
    };
    if (this.#chance(0.6)) return JSON.stringify(plain);
    const wager = this.#pick([
      '-0',
      '1e400',
      '1e-324',
      '1e-323',
      '0.1234567890123456',
      '"0.123456789"',
      '-1',
      '1e11',
      '"1.5"',
      'null',
      'true',
      '[1]',
      '01',
      '1.',
      '9007199254740991',
    ]);
    return this.#pick([
      JSON.stringify(plain).replace('"base_wager":1', `"base_wager":${wager}`),
      JSON.stringify({
        ...plain,
        [this.#pick(['more', '__proto__', 'callback', 'metadata'])]: this.#pick([{}, null, 'x', [[]], 1 / 3]),
      }),
      JSON.stringify(plain).replace('{', '{"token":"twice",'),
      JSON.stringify({ ...plain, brand_id: this.#pick(['rival:main', 'acme:main', 'none', '', 'a b']) }),
      JSON.stringify({ ...plain, currency: this.#pick(['XXX', 'eur', '', 5]) }),
      `${JSON.stringify(plain)}${this.#pick([' ', '\n', '}', '\u0000'])}`,
      `${'['.repeat(this.#pick([3, 18]))}${JSON.stringify(plain)}`,
      JSON.stringify({ ...plain, metadata: { m: 'x'.repeat(this.#pick([10, 9000])) } }),
      this.#pick(['', '{}', 'null', '"', '\u00ff\u00fe', '{"a":1']),
    ]);
  }

  #damaged(bytes: string): string {
    const at = this.#below(bytes.length);
    const byte = String.fromCharCode(this.#below(256));
    return this.#pick([
      bytes.slice(0, at) + byte + bytes.slice(at + 1),
      bytes.slice(0, at) + byte + bytes.slice(at),
      bytes.slice(0, at) + bytes.slice(at + 1),
      bytes.replace('\r\n', '\n'),
      bytes.replace('\r\n\r\n', '\n\n'),
    ]);
  }

  #packets(bytes: string): string[] {
    if (this.#chance(0.7) || bytes.length < 2) return [bytes];
    const at = 1 + this.#below(bytes.length - 1);
    return [bytes.slice(0, at), bytes.slice(at)];
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  /** mulberry32 */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

const instances = '/v1/jackpot/instances';

function plainContribution(player: string): string {
  const body = `{"token":"session","brand_id":"main","player_id":"${player}","player_country":"DE","base_wager":1,"currency":"EUR"}`;
  return `POST ${instances}/gold/contributions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $TOKEN\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function withBody(target: string, body: string, ...headers: readonly string[]): string {
  const lines = [`POST ${target} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const chunkedBody = '10\r\n{"token":"s",\r\n\r\r\n7;x=y\r\n\n"a":1}\r\n0\r\nX-Trailer: 1\r\n\r\n';
/** What clients send beside contributions; each is a whole request. */
const ordinary = [
  withBody('/v1/auth/service', '{"username":"nobody"}', 'Content-Length: 21'),
  withBody('/v1/auth/service', '{}\r\n\r\n', 'Content-Length: 6'),
  withBody(
    `${instances}/gold/contributions`,
    chunkedBody,
    'Transfer-Encoding: chunked',
    'Authorization: Bearer $TOKEN',
  ),
  withBody('/auth/admin', chunkedBody, 'Transfer-Encoding: chunked'),
  withBody(`${instances}/gold/contributions`, '{"a":1}', 'Content-Length: 7', 'Expect: 100-continue'),
  'GET /v1/currencies HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/currencies?page=0 HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n',
  'GET /config/instances HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $TOKEN\r\n\r\n',
  'HEAD /livez HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS /v1/currencies HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\nAccess-Control-Request-Method: GET\r\n\r\n',
  'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
  `GET ${instances}/gold/ticker HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${instances}/gold/ticker HTTP/1.1\r\nHost: a\r\nX-Odd: \u00e9\r\n\r\n`,
  '\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
  'DELETE /v1/elsewhere HTTP/1.1\r\nHost: a\r\n\r\n',
];
const contributions = [
  `${instances}/gold/contributions`,
  `${instances}/gold/contributions`,
  `${instances}/gold/contributions`,
  `${instances}/none/contributions`,
  `${instances}/foreign/contributions`,
  `${instances}/a?b/contributions`,
  `${instances}/gold?/contributions`,
  `${instances}/gold?x=/contributions`,
  `${instances}/go%6cd/contributions`,
  `${instances}/%zz/contributions`,
  `${instances}//contributions`,
  `${instances}/a/b/contributions`,
  `${instances}/gold/contributions/`,
  `${instances}/gold/contributions#x`,
  `${instances}/${'x'.repeat(65)}/contributions`,
  `${instances}/gold;a=1/contributions`,
  `http://a${instances}/gold/contributions`,
  `/x/..${instances}/gold/contributions`,
  '/v1/jackpot/sources/slot-1/contributions',
  '/v1/jackpot/sources/a%20b/contributions',
  '/v2/jackpot/contributions',
  '/auth/admin',
];
const lookups = [
  `${instances}/gold/ticker`,
  `${instances}/gold/ticker`,
  `${instances}/none/ticker`,
  `${instances}/go%6cd/ticker`,
  `${instances}/gold/ticker/`,
  `${instances}/gold:x/ticker`,
  `${instances}/~/ticker`,
  `${instances}/gold?/ticker`,
  `${instances}//ticker`,
  `${instances}/source/slot-1/brand/acme:main`,
  `${instances}/source/slot-1/brand/main`,
  `${instances}/source/none/brand/acme:main`,
  `${instances}/gold/ticker#x`,
  `${instances}/go#ld/ticker`,
  `http://a${instances}/gold/ticker`,
  `ftp://a${instances}/gold/ticker`,
  '*',
  '/v1/operator/jackpot/instances/source/slot-1/brand/main',
  '/v1/operator/jackpot/instances/source/slot-1/brand/rival:main',
];
const queries = [
  '',
  '',
  '',
  '?',
  '?x',
  '?x=',
  '?x=1',
  '?player_id=p',
  '?player_id=p&player_id=q',
  '?player_id=%70',
  '?&',
  '?a=b?c',
  '?player_id=%zz',
  '?brand_id=main&country=DE',
  '?country=DE',
  '?country=de',
  '?%70layer_id=p',
  '?player_id=a+b',
  '?player_id=',
  '?Player_id=p',
  '?=',
  '?country=DE&',
];
const types = [
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'text/plain',
  '',
  'application/json, text/plain',
  'APPLICATION/JSON',
  'application/json;',
  'multipart/form-data',
];
const codings = ['gzip, chunked', 'xchunked', 'Chunked', 'chunked, chunked', 'identity', '', 'chunked;a=b'];
const extras = [
  'Accept: */*',
  'X-A: b',
  'X-Empty:',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: Keep-Alive',
  'Connection: upgrade',
  'Keep-Alive: timeout=5',
  'Expect: 100-continue',
  'Expect: more',
  'Upgrade: h2c',
  'TE: trailers',
  'Trailer: X-A',
  'Content-Encoding: identity',
  'Content-Encoding: gzip',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'X-Player-Token: x',
  'X-Key-Id: k',
  'X-Signature: v1=00',
  'Host: b',
  'Authorization: Bearer x',
  'authorization: Basic x',
  'Idempotency-Key: k',
  'Idempotency-Key: "k"',
  'Idempotency-Key: "k',
  'Idempotency-Key: \u00c3\u00a9',
  'Idempotency-Key: \u00e9',
  'X-Idempotency-Key: k',
  'X-Nonce: n',
  'If-None-Match: *',
  'Cookie: a=b',
  'Origin: https://shop.example',
  'Origin: https://evil.example',
  'Origin: http://a',
  'X-\u00e9: y',
  'X-Odd: \u00e9',
  'X_Under: 1',
  '1: 2',
  'X-A: b\nX-B: c',
  'X-A: b\rX-B: c',
  'X-Nul: \u0000',
  `X-Long: ${'x'.repeat(9000)}`,
  'Proxy-Connection: keep-alive',
  'HTTP2-Settings: AA',
  'If-Match: 1',
  'Date: x',
];
const garbage = [
  'garbage\r\n\r\n',
  '\r\n',
  '\r\n\r\n',
  '\u0000',
  'GET / HTTP/1.1\n\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ' ',
];
