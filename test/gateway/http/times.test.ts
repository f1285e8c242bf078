import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { quiet, startTestGateway, type TestGateway } from '../support/gateway.ts';

const path = '/v1/jackpot/instances/gold/contributions';
const body = JSON.stringify({
  token: 'session',
  brand_id: 'main',
  player_id: 'p',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
});

/** Sends some bytes and collects what comes until the server closes. */
function open(gateway: TestGateway, bytes: string) {
  let text = '';
  const socket = connect(gateway.port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, closed, text: () => text };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a request that does not arrive', () => {
  test('is answered with 408 when the time for its body is over, and nothing is sent', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.serviceToken();
    const half = open(
      gateway,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(half.text()).toBe('');
    gateway.nowMs += 10_500;
    const answer = await half.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
    expect(gateway.commands).toEqual([]);
    await gateway.stop();
  });

  test('because the caller went away, sends nothing and leaves nothing behind', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.serviceToken();
    const half = open(
      gateway,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    half.socket.destroy();
    await half.closed;
    expect((await gateway.call('POST', path, { token, text: body })).status).toBe(200);
    expect(gateway.commands.length).toBe(1);
    await gateway.stop();
  });
});

describe('a gateway that stops', () => {
  test('finishes what it has begun, refuses what comes, and then closes', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.serviceToken();
    let answerLane: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      gateway.respond = (command) => {
        resolve();
        return new Promise((answer) => {
          answerLane = () => answer(quiet(command));
        });
      };
    });
    const begun = gateway.call('POST', path, { token, text: body });
    const second = open(gateway, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await asked;
    await until(() => second.text().includes('200 OK'));
    const stopped = gateway.stop();
    second.socket.write('GET /.well-known/jwks.json HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => second.text().includes('shutting_down'));
    expect(second.text()).toContain('HTTP/1.1 503');
    expect(second.text()).toContain('Retry-After: 1');
    answerLane();
    expect((await begun).status).toBe(200);
    await second.closed;
    await stopped;
  });
});
