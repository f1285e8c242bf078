import { afterEach, describe, expect, it } from 'vitest';
import { onceCurrent } from '../../../../src/gateway/api/operation/run.ts';
import { operations } from '../../../../src/gateway/api/operations/index.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
});

describe('a gateway that has not read everything yet', () => {
  it('says "later" where it would have to say that there is no such thing', async () => {
    let current = false;
    gateway = await startTestGateway({ operations: onceCurrent(operations, { current: () => current }) });
    const opened = gateway;
    const ask = async (path: string) => {
      const { status, json, headers } = await opened.call('GET', path);
      return [status, json.code, headers['retry-after'] !== undefined];
    };
    const ticker = () => ask('/v1/jackpot/instances/nowhere/ticker');
    const conservation = () => ask('/v1/fairness/instances/nowhere/conservation');
    expect(await ticker()).toEqual([503, 'overloaded', true]);
    expect(await conservation()).toEqual([503, 'overloaded', true]);
    current = true;
    expect(await ticker()).toEqual([404, 'instance_not_found', false]);
    expect(await conservation()).toEqual([404, 'instance_not_found', false]);
  });

  it('takes no contribution, whose answer could name no currency', async () => {
    gateway = await startTestGateway({ operations: onceCurrent(operations, { current: () => false }) });
    const body = {
      token: 't',
      brand_id: 'main',
      player_id: 'p',
      player_country: 'DE',
      base_wager: 1,
      currency: 'EUR',
    };
    const token = await gateway.serviceToken();
    const answer = await gateway.call('POST', '/v1/jackpot/sources/slot-1/contributions', { token, body });
    expect([answer.status, answer.json.code]).toEqual([503, 'overloaded']);
    expect(gateway.commands).toEqual([]);
  });
});
