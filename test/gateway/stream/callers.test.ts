import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { authenticated } from '../support/players.ts';
import { line, StreamClient, stream, textOf } from './stream-client.ts';

let gateway: TestGateway;
let token: string;
let revision = 1_000;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.respond = quiet;
  gateway.commands.length = 0;
});

const open = (bearer = token) => new StreamClient(gateway.port, { token: bearer });
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => line(from + index));
const codes = (answers: readonly { error?: { code: string } }[]) =>
  answers.map(({ error }) => error?.code ?? 'ok');

function change(entry: object): void {
  revision += 1;
  gateway.readModel.directoryChanged({ kind: 'set', entry: entry as never }, revision);
}

function operator(more: object = {}): void {
  change({ kind: 'operator', id: 'acme', name: 'n', created_timestamp: 1, enabled: true, ...more });
}

describe('a token that ends', () => {
  it('ends its stream with the number of the first line that was not taken', async () => {
    const bearer = await gateway.serviceToken();
    const client = open(bearer);
    client.sendLines(lines(3));
    await client.answered(3);
    const before = gateway.nowMs;
    gateway.nowMs = before + 16 * 60_000;
    client.sendLines(lines(2, 3));
    expect((await client.results()).slice(3)).toMatchObject([
      { ref: null, line: 4, error: { status_code: 401, code: 'token_expired' }, end: true },
    ]);
    await client.until(() => client.closed);
    expect(gateway.commands).toHaveLength(3);
    gateway.nowMs = before;
  });

  it('by a change of its account does so, too', async () => {
    const bearer = await gateway.serviceToken();
    const client = open(bearer);
    client.sendLines(lines(1));
    await client.answered(1);
    const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1]!, 'base64url').toString());
    await gateway.access.accounts.update('service', sub, (account) => ({ ...account, enabled: false }));
    client.sendLines(lines(1, 1));
    expect((await client.results())[1]).toMatchObject({
      line: 2,
      error: { code: 'token_revoked' },
      end: true,
    });
  });
});

describe('a disabled owner', () => {
  it('refuses the lines that follow, and the stream goes on for others', async () => {
    const client = open();
    client.sendLines(lines(1));
    await client.answered(1);
    operator({ enabled: false });
    client.sendLines(lines(1, 1));
    expect(codes(await client.answered(2))).toEqual(['ok', 'owner_disabled']);
    operator();
    client.sendLines(lines(1, 2));
    client.end();
    expect(codes(await client.results())).toEqual(['ok', 'owner_disabled', 'ok']);
  });
});

describe("an operator's quota", () => {
  it('refuses lines as it refuses requests, by their ref', async () => {
    operator({ quota: { contributions_per_second: 5, bytes_per_second: null } });
    gateway.stopClock();
    const answers = await stream(gateway.port, token, textOf(lines(8)));
    expect(answers.map(({ ref }) => ref)).toHaveLength(8);
    expect(codes(answers).filter((code) => code === 'ok')).toHaveLength(5);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused[0]).toMatchObject({ error: { status_code: 429, code: 'rate_limited' }, retry_after: 1 });
    expect(refused.map(({ ref }) => ref)).toEqual([5, 6, 7]);
    operator();
  });
});

describe('a player', () => {
  it('of a brand with a wallet is authenticated by the token of the line, few at a time', async () => {
    const other = await startTestGateway();
    const brand = { kind: 'brand', path: 'acme:main', name: 'n', created_timestamp: 1, enabled: true };
    const entry = { ...brand, salt: '', wallet: true, verification_limit: null, verification_currency: '' };
    other.readModel.directoryChanged({ kind: 'set', entry: entry as never }, 1_000);
    let asking = 0;
    let maxAsking = 0;
    const ask = other.players.authenticate.bind(other.players);
    other.players.answer = ({ token: session }) =>
      session === 'bad' ? { kind: 'refused' } : authenticated({ player: session });
    other.players.authenticate = async (question) => {
      asking += 1;
      maxAsking = Math.max(maxAsking, asking);
      await new Promise((resolve) => setTimeout(resolve, 2));
      asking -= 1;
      return ask(question);
    };
    const of = (session: string, index: number) => ({
      ...line(index),
      player: { id: session, token: session, country: 'DE', brand_id: 'main' },
    });
    const sent = Array.from({ length: 300 }, (_, index) =>
      of(index % 10 === 3 ? 'bad' : `p-${index}`, index),
    );
    const answers = await stream(other.port, await other.serviceToken(), textOf(sent));
    expect(answers).toHaveLength(300);
    for (const { ref, error } of answers)
      expect(error?.code).toBe(ref % 10 === 3 ? 'player_token_invalid' : undefined);
    expect(maxAsking).toBeGreaterThan(1);
    expect(maxAsking).toBeLessThanOrEqual(streamLimits.slowLines);
    await other.stop();
  });
});

describe('a lane without room', () => {
  it('holds its streams back instead of refusing lines as fast as they come', async () => {
    const tasks: (() => void)[] = [];
    const other = await startTestGateway({
      after(delayMs, task) {
        if (delayMs === streamLimits.refusalPauseMs) {
          tasks.push(task);
          return () => {};
        }
        const timer = setTimeout(task, delayMs);
        return () => clearTimeout(timer);
      },
    });
    other.respond = () => Promise.reject(new PublicError('overloaded'));
    const client = new StreamClient(other.port, { token: await other.serviceToken() });
    client.sendLines(lines(5_000));
    await client.answered(1);
    await client.until(() => tasks.length === 1 && client.lines.length === other.commands.length);
    const refused = client.lines.length;
    expect(refused).toBeLessThanOrEqual(streamLimits.lines);
    expect(tasks).toHaveLength(1);
    other.respond = quiet;
    tasks.pop()?.();
    client.end();
    expect(codes(await client.results()).filter((code) => code === 'ok')).toHaveLength(5_000 - refused);
    await other.stop();
  });
});
