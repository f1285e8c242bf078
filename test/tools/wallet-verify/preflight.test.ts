import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTarget } from '../../../tools/wallet-verify/kit/target.ts';
import { verifyWallet } from '../../../tools/wallet-verify/verify-wallet.ts';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { ledger } from '../reference-wallet/support.ts';
import { configuration, prepare } from './support.ts';

let wallet: TestWallet;
/** Answers each request with what the test wants. */
let answer: { status: number; text: string; headers?: OutgoingHttpHeaders | undefined };
const other = createServer((request, response) => {
  request.resume();
  response.writeHead(answer.status, answer.headers).end(answer.text);
});
let otherUrl: string;

beforeAll(async () => {
  wallet = await startTestWallet();
  await prepare(wallet);
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await wallet.stop();
  other.closeAllConnections();
  other.close();
});

const [ada, bo, goro, farah] = configuration('').players as [Player, Player, Player, Player];
type Player = { readonly player_id: string; readonly currency: string; readonly token: string };

/** No message may come after money has moved. */
async function faultOf(changes: Readonly<Record<string, unknown>>): Promise<string> {
  const before = await ledger(wallet);
  const target = readTarget({ ...configuration(wallet.url), ...changes, timeout_ms: 60_000 });
  const fault = await verifyWallet(target).then(
    () => 'none',
    (error: Error) => error.message,
  );
  expect(await ledger(wallet)).toEqual(before);
  return fault;
}

it.each([
  ['another bearer key', { bearer_key: 'other' }],
  ['another HMAC secret', { hmac_secret: 'other' }],
])('says that the keys differ: %s', async (_, changes) => {
  const fault = await faultOf(changes);
  expect(fault).toMatch(/answered 401 to a correct request: the keys differ/);
  expect(fault).toMatch(/POTSTREAM_WALLET_BEARER_KEY and POTSTREAM_WALLET_HMAC_SECRET/);
});

it.each([
  [
    'two swapped tokens',
    [
      { ...ada, token: bo.token },
      { ...bo, token: ada.token },
    ],
    /token of ada .* `id` "bo"/,
  ],
  [
    'a swapped token of another currency',
    [ada, bo, { ...goro, token: farah.token }],
    /token of goro .* "farah"/,
  ],
  ['a wrong token', [ada, { ...bo, token: 'wrong' }], /refuses the token of bo: 422 token_invalid/],
  [
    'a wrong currency',
    [ada, bo, { ...goro, currency: 'KWD' }],
    /goro has currency KWD .* answered with "JPY"/,
  ],
])('moves no money with %s', async (_, players, message) => {
  expect(await faultOf({ players })).toMatch(message);
});

it('names the URL whose path is wrong', async () => {
  const url = `${wallet.url}/wallet`;
  expect(await faultOf({ url })).toContain(
    `POST ${url}/authenticate answered 404: check url (the base, without /authenticate)`,
  );
});

const identity = { id: 'ada', operator_id: 'acme', brand_id: 'acme:main', currency: 'EUR' };

it.each([
  [
    { status: 200, text: '<h1>Hi</h1>', headers: { 'content-type': 'text/html' } },
    /answered 200 with text\/html/,
  ],
  [{ status: 404, text: '<h1>No</h1>' }, /answered 404: check url/],
  [
    { status: 301, text: '', headers: { location: 'https://a.example/' } },
    /a redirect to https:\/\/a\.example\//,
  ],
  [{ status: 500, text: 'oops' }, /answered 500/],
  [{ status: 200, text: JSON.stringify(identity) }, /not as W1: `balance` is missing or of another type/],
  [
    { status: 200, text: JSON.stringify({ ...identity, balance: 1, segments: 'gold' }) },
    /not as W1: `segments` is missing or of another type/,
  ],
])('says what is wrong with %o', async (given, message) => {
  answer = given;
  expect(await faultOf({ url: otherUrl })).toMatch(message);
});

it('says in plain words that a port does not speak TLS', async () => {
  answer = { status: 200, text: '' };
  expect(await faultOf({ url: otherUrl.replace('http:', 'https:') })).toMatch(
    /cannot be reached\. There was no answer: The port does not speak TLS/,
  );
});
