import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { keys, startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { balanceOf, putPlayer, transaction } from './support.ts';

let wallet: TestWallet;

beforeEach(async () => {
  wallet = await startTestWallet();
  await putPlayer(wallet, 'ada');
  await putPlayer(wallet, 'bo');
});
afterEach(() => wallet.stop());

const setRules = async (...rules: unknown[]) => {
  expect(await wallet.call('PUT', '/control/faults', rules)).toMatchObject({ status: 200 });
};
const debit = (changes: Readonly<Record<string, unknown>> = {}) =>
  wallet.raw('POST', '/transactions', JSON.stringify(transaction(changes)));
const balance = async () => (await balanceOf(wallet, 'ada')).balance;

describe('faults of the reference wallet', () => {
  it.each([
    ['before', 10],
    ['after', 9],
  ])('drop the connection %s the execution', async (when, expected) => {
    await setRules({ operation: 'W3', fault: 'drop', when, times: 1 });
    await expect(debit()).rejects.toThrow();
    expect(await balance()).toBe(expected);
    expect(await debit()).toEqual({ status: 200, text: '{"balance":9,"metadata":null}' });
    expect(await balance()).toBe(9);
  });

  it.each([
    ['error', 'after', 9, { status: 500 }],
    ['error', 'before', 10, { status: 500 }],
    ['garbage', 'after', 9, { status: 200, text: '<html>{"balance":' }],
    ['wrong_shape', 'before', 10, { status: 422, text: '{"error":"A fault was asked for."}' }],
    ['redirect', 'before', 10, { status: 307 }],
  ])('%s %s the execution', async (fault, when, expected, answer) => {
    await setRules({ fault, when, times: 1 });
    expect(await debit()).toMatchObject(answer);
    expect(await balance()).toBe(expected);
  });

  it('answer more than anybody reads', async () => {
    await setRules({ fault: 'oversized' });
    expect((await debit()).text.length).toBeGreaterThan(1024 * 1024);
  });

  it('cut an answer off', async () => {
    await setRules({ fault: 'truncated' });
    await expect(debit()).rejects.toThrow();
    expect(await balance()).toBe(9);
  });

  it('answer late, in drops', async () => {
    await setRules({ fault: 'delay', ms: 30, times: 1 }, { fault: 'slow', ms: 1, times: 1 });
    expect(await debit()).toMatchObject({ status: 200 });
    expect(await debit()).toEqual({ status: 200, text: '{"balance":9,"metadata":null}' });
  });

  it('answer twice on one connection', async () => {
    await setRules({ fault: 'duplicate' });
    const body = JSON.stringify(transaction());
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(wallet.port, '127.0.0.1');
      let received = '';
      socket.on('error', reject);
      socket.on('data', (bytes) => {
        received += bytes;
        if (received.split('HTTP/1.1 200').length < 3) return;
        socket.destroy();
        resolve(received);
      });
      socket.write(
        [
          'POST /transactions HTTP/1.1',
          'Host: wallet',
          `Authorization: Bearer ${keys.bearerKey}`,
          `X-Server-Authorization: ${serverAuthorization(keys.hmacSecret, Buffer.from(body))}`,
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      );
    });
    expect(text.split('{"balance":9,"metadata":null}')).toHaveLength(3);
  });

  it("take the player's tokens back before the request is executed", async () => {
    const token = { brand_id: 'acme:main', player_id: 'ada', token: 'token-of-ada' };
    await wallet.call('POST', '/control/tokens', [token]);
    await setRules({ operation: 'W3', fault: 'revoke_token', times: 1 });
    expect(await debit()).toMatchObject({ status: 200 });
    const question = {
      operator_id: 'acme',
      brand_id: 'acme:main',
      player_token: 'token-of-ada',
      currency: 'EUR',
    };
    expect(await wallet.call('POST', '/authenticate', question)).toMatchObject({
      json: { code: 'token_revoked' },
    });
  });

  it.each([
    [{ player_id: 'ada' }, true],
    [{ player_id: 'bo' }, false],
    [{ brand_id: 'acme:main' }, true],
    [{ brand_id: 'acme:vip' }, false],
    [{ transaction_prefix: 't-' }, true],
    [{ transaction_prefix: 'x-' }, false],
    [{ operation: 'W3' }, true],
    [{ operation: 'W2' }, false],
  ])('meet requests that fit %o: %s', async (match, isMet) => {
    await setRules({ ...match, fault: 'error' });
    expect((await debit()).status).toBe(isMet ? 500 : 200);
  });

  it('are drawn the same again with the same seed', async () => {
    const draws = async () => {
      await setRules({ fault: 'error', probability: 0.3, seed: 7 });
      const statuses: number[] = [];
      for (let index = 0; index < 40; index += 1) statuses.push((await debit()).status);
      return statuses;
    };
    const first = await draws();
    expect(await draws()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });

  it('are counted, and end when they are cleared', async () => {
    await setRules({ fault: 'error', times: 5 });
    await debit();
    await debit();
    const { json } = await wallet.call('GET', '/control/faults', '');
    expect(json).toMatchObject([{ operation: 'any', fault: 'error', when: 'after', times: 5, followed: 2 }]);
    expect(await wallet.call('DELETE', '/control/faults', '')).toMatchObject({ status: 204 });
    expect((await debit()).status).toBe(200);
  });

  it('never meet the control routes', async () => {
    await setRules({ fault: 'drop' });
    expect(await wallet.call('GET', '/control/ledger', '')).toMatchObject({ status: 200 });
  });

  it.each([
    { fault: 'fire' },
    { fault: 'delay', ms: 600_001 },
    { fault: 'drop', times: 0 },
    { when: 'after' },
  ])('refuse the rule %o', async (rule) => {
    expect(await wallet.call('PUT', '/control/faults', [rule])).toMatchObject({ status: 400 });
  });
});

it('a caller who hangs up in the middle of a body changes nothing', async () => {
  const call = request({
    port: wallet.port,
    method: 'POST',
    path: '/transactions',
    headers: { 'content-length': 100 },
  });
  call.on('error', () => {});
  call.write('{"player_id":');
  await new Promise((done) => setImmediate(done));
  call.destroy();
  expect(await balance()).toBe(10);
});
