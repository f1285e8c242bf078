import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TicketAnswer } from '../../../../../src/contracts/feeds/tickets.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { authenticated } from '../../../support/players.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ ticketsPerSecond: 20 });
  gateway.stopClock();
  const brand = { ...gateway.readModel.brand('acme:main')!, wallet: true };
  gateway.readModel.directoryChanged({ kind: 'set', entry: brand }, 100);
  const rates = { base_currency: 'EUR', multipliers: { EUR: '1', USD: '2' }, exponents: {}, updated: 1 };
  gateway.readModel.directoryChanged(
    { kind: 'set', entry: { kind: 'rates', brand: '', version: 101, ...rates } },
    101,
  );
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.nowMs += 20_000;
  gateway.players.answer = ({ token: shown, currency }) =>
    shown.startsWith('ok') ? authenticated({ player: shown.slice(3), currency }) : { kind: 'refused' };
});

const asked = { brand_id: 'acme:main', currency: 'EUR' };
const ofService = (changes: object = {}, bearer = token) =>
  gateway.call('POST', '/v1/feed-tickets', { token: bearer, body: { ...asked, ...changes } });
const ofPlayer = (changes: object = {}, shown = 'ok ada') =>
  gateway.call('POST', '/v1/feed-tickets', {
    body: { ...asked, ...changes },
    headers: { 'X-Player-Token': shown },
  });

let attempts = 0;
async function redeem(ticket: string): Promise<TicketAnswer> {
  attempts += 1;
  return gateway.access.feedTickets!.redeem({ ticket, attempt: `a${attempts}` });
}

describe('POST /v1/feed-tickets', () => {
  test("issues a player's ticket, with the token sealed in it", async () => {
    const { status, json } = await ofPlayer({ instance_ids: ['gold'] });
    expect([status, json]).toEqual([
      201,
      { ticket: expect.any(String), expires_in: 30, path: '/events/acme/main' },
    ]);
    expect(await redeem(json.ticket)).toEqual({
      kind: 'redeemed',
      content: {
        ...{ brand: 'acme:main', currency: 'EUR', instances: ['gold'] },
        holder: { kind: 'player', player: 'ada', token: 'ok ada' },
      },
    });
    expect(await redeem(json.ticket)).toEqual({ kind: 'refused' });
  });

  test("issues a service's for a player and for a brand", async () => {
    const found = await Promise.all(
      [{ player_id: 'ada' }, {}].map(async (changes) => redeem((await ofService(changes)).json.ticket)),
    );
    const holders = found.map((answer) => answer.kind === 'redeemed' && answer.content.holder);
    const service = { kind: 'service', username: expect.any(String), generation: expect.any(String) };
    expect(holders).toEqual([
      { ...service, player: 'ada' },
      { ...service, player: null },
    ]);
  });

  test('takes the bare brand of a service, never of a player', async () => {
    expect((await ofService({ brand_id: 'main' })).json.path).toBe('/events/acme/main');
    expect((await ofPlayer({ brand_id: 'main' })).json.code).toBe('brand_not_found');
  });

  test.each([
    [
      'no credential',
      () => gateway.call('POST', '/v1/feed-tickets', { body: asked }),
      'player_token_required',
    ],
    ['a wrong token', () => ofPlayer({}, 'bad'), 'player_token_invalid'],
    ['another player', () => ofPlayer({ player_id: 'bob' }), 'player_mismatch'],
    ['an unknown currency', () => ofService({ currency: 'XXX' }), 'currency_unknown'],
    ['one without a rate', () => ofService({ currency: 'JPY' }), 'currency_not_supported'],
    ['no currency', () => ofService({ currency: null }), 'invalid_request'],
    ['17 instances', () => ofService({ instance_ids: Array(17).fill('gold') }), 'invalid_request'],
    ['no instances', () => ofService({ instance_ids: [] }), 'invalid_request'],
    ['a foreign brand', () => ofService({ brand_id: 'rival:main' }), 'brand_not_found'],
    ['a disabled brand', () => ofService({ brand_id: 'acme:closed' }), 'owner_disabled'],
    [
      'a token that no ticket has room for',
      () => ofPlayer({}, `ok ${randomBytes(1_400).toString('base64')}`),
      'invalid_request',
    ],
  ])('%s', async (_, ask, code) => {
    expect((await ask()).json.code).toBe(code);
  });

  test("a token of another currency than the player's session is none", async () => {
    gateway.players.answer = () => authenticated({ currency: 'USD' });
    expect((await ofPlayer()).json.code).toBe('currency_mismatch');
  });

  test('a service with some brands gets none of others', async () => {
    const narrow = await gateway.serviceToken('acme', ['acme:second']);
    expect((await ofService({}, narrow)).json.code).toBe('brand_forbidden');
    expect((await ofService({ brand_id: 'second' }, narrow)).status).toBe(201);
  });
});

describe('limits', () => {
  test("of an operator's services, which neither its players nor others feel", async () => {
    for (let tickets = 0; tickets < 20; tickets += 1) expect((await ofService()).status).toBe(201);
    const refused = await ofService();
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await ofPlayer()).status).toBe(201);
    const rival = await gateway.serviceToken('rival');
    expect((await ofService({ brand_id: 'main' }, rival)).status).toBe(201);
    gateway.nowMs += 1_000;
    expect((await ofService()).status).toBe(201);
  });

  test('of one player, which others do not feel', async () => {
    for (let tickets = 0; tickets < 10; tickets += 1) expect((await ofPlayer()).status).toBe(201);
    expect((await ofPlayer()).json.code).toBe('rate_limited');
    expect((await ofPlayer({}, 'ok bob')).status).toBe(201);
  });
});
