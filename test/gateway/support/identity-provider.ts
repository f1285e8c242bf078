import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
// @ts-expect-error It has no types.
import Provider from 'oidc-provider';

/** What the provider's ID tokens say instead, before they are signed. */
type Tamper = (claims: Claims) => Claims;
type Claims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What its token endpoint signs in place of what it meant to; null: nothing. */
  tamper: Tamper | null;
  /** How the ID token is signed. */
  signs: 'right' | 'with another key' | 'not at all' | 'with the secret';
  answers: 'as usual' | 'nothing' | 'too much' | 'a redirect';
  /** From now on it has other keys. */
  rotate(): Promise<void>;
  /** Requests by path since the start. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const client = { clientId: 'potstream', clientSecret: 'the secret of the client at the provider' };

/**
 * A whole OpenID provider of its own on a free port, at which anybody logs in as anybody. `host`: as its issuer
 * says it.
 */
export async function startProvider(
  redirectUris: readonly string[],
  host = '127.0.0.1',
): Promise<TestProvider> {
  const asked: string[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => {
    asked.push((request.url ?? '').split('?', 1)[0] ?? '');
    if (provider.answers === 'as usual') handle(request, response);
    else if (provider.answers === 'too much') response.end('a'.repeat(300 * 1024));
    else if (provider.answers === 'a redirect') response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  let keys = 0;

  async function rotate(): Promise<void> {
    keys += 1;
    const key = { ...(await newKey()), kid: `key-${keys}`, use: 'sig', alg: 'RS256' };
    const oidc = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [...redirectUris],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of its cookies'] },
      pkce: { required: () => true },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      // Nobody is asked what the client may know.
      async loadExistingGrant({ oidc: asked }: LoadingGrant) {
        const grant = new asked.provider.Grant({
          clientId: asked.client.clientId,
          accountId: asked.session.accountId,
        });
        grant.addOIDCScope('openid');
        await grant.save();
        return grant;
      },
    });
    oidc.use(async (context: Handled, next: () => Promise<void>) => {
      await next();
      const { id_token } = context.body ?? {};
      if (context.path !== '/token' || typeof id_token !== 'string') return;
      context.body = { ...context.body, id_token: await signedAnew(id_token, key, provider) };
    });
    handle = oidc.callback();
  }

  const provider: TestProvider = {
    ...client,
    issuer,
    asked,
    tamper: null,
    signs: 'right',
    answers: 'as usual',
    rotate,
    stop: () => closed(server),
  };
  await rotate();
  return provider;
}

interface LoadingGrant {
  readonly oidc: {
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

interface Handled {
  readonly path: string;
  body?: Readonly<Record<string, unknown>>;
}

/** The key is exported from an object of its own, as signing keys are: src/access/keys/signing-keys.ts says why. */
async function newKey(): Promise<JWK> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return exportJWK(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }));
}

async function signedAnew(token: string, key: JWK, { tamper, signs }: TestProvider): Promise<string> {
  if (tamper === null && signs === 'right') return token;
  const [head = '', body = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const claims = (tamper ?? ((same) => same))(JSON.parse(body));
  if (signs === 'not at all') return new UnsecuredJWT(claims).encode();
  const { alg, kid } = JSON.parse(head);
  const jwt = new SignJWT(claims);
  if (signs === 'with the secret')
    return jwt.setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(client.clientSecret, 'utf8'));
  const by = signs === 'right' ? key : await newKey();
  return jwt.setProtectedHeader({ alg, kid }).sign(await importJWK(by, alg));
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Where a browser is, with what it has sent and got. */
export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  /** Where it was sent; '' where it stayed. */
  readonly location: string;
  readonly text: string;
}

const navigates = { 'sec-fetch-dest': 'document' };

/** A browser that keeps cookies by their origins, and stands in for the public address of the gateway. */
export class Browser {
  readonly cookies = new Map<string, Map<string, string>>();
  readonly #at: Readonly<Record<string, string>>;

  /** `at`: origins that are elsewhere in fact. */
  constructor(at: Readonly<Record<string, string>> = {}) {
    this.#at = at;
  }

  /** Goes to an address, without going on where it is sent. */
  async go(
    address: string,
    { site = 'none', form, headers = {} }: { site?: string; form?: string; headers?: object } = {},
  ): Promise<Visit> {
    const { origin, pathname, search } = new URL(address);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${this.#at[origin] ?? origin}${pathname}${search}`, {
      redirect: 'manual',
      headers: {
        ...{ ...navigates, 'sec-fetch-site': site },
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      headers: answer.headers,
      location: location === null ? '' : new URL(location, address).href,
      text: await answer.text(),
    };
  }

  /** From the page of the provider until that sends the person back; the address there. */
  async logIn(address: string, subject: string, back: string): Promise<string> {
    let next = address;
    for (let steps = 0; steps < 10; steps += 1) {
      if (next.startsWith(back)) return next;
      const isForm = /\/interaction\//.test(next);
      const form = `prompt=login&login=${encodeURIComponent(subject)}&password=any`;
      const visit = await this.go(next, isForm ? { form } : {});
      if (visit.location === '') throw new Error(`${next}: ${visit.status} ${visit.text}`);
      next = visit.location;
    }
    throw new Error(`The provider sends the browser in circles: ${next}`);
  }
}
