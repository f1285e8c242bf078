import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

const crowd = 60;
const requestsEach = 3;
const lookup = 'GET /v1/jackpot/instances/gold/ticker HTTP/1.1\r\nHost: a\r\n\r\n';
const list = 'GET /v1/currencies HTTP/1.1\r\nHost: a\r\n\r\n';
const guess = '{"username":"nobody"}';
const login = `POST /v1/auth/service HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${guess.length}\r\n\r\n${guess}`;

test.each([
  ['lists', list],
  ['log-ins', login],
])('a lookup that arrives behind a crowd of %s does not wait for all of them', async (_name, other) => {
  const gateway = await startTestGateway();
  const clients = Array.from({ length: crowd + 1 }, () => new RawClient(gateway.port));
  try {
    for (let round = 1; round <= 2; round += 1) {
      // One by one: all connections are old.
      for (const client of clients) {
        client.send(lookup);
        await client.answers(2 * round - 1);
      }
      const answered: RawClient[] = [];
      for (const client of clients) client.socket.once('data', () => answered.push(client));
      for (const client of clients.slice(0, crowd)) client.send(other);
      const last = clients[crowd]!;
      last.send(lookup);
      await Promise.all(clients.map((client) => client.answers(2 * round)));
      expect(answered.indexOf(last)).toBeLessThan(crowd / 4);
    }
  } finally {
    for (const client of clients) client.socket.destroy();
    await gateway.stop();
  }
});

test('requests that wait for their turn are answered one after the other, though the caller has said all it will', async () => {
  const gateway = await startTestGateway();
  try {
    const clients = Array.from({ length: crowd }, () => new RawClient(gateway.port));
    for (const client of clients) client.socket.end((list + login).repeat(requestsEach));
    const outcomes = await Promise.all(clients.map((client) => client.ending()));
    for (const each of outcomes)
      expect(each).toEqual(Array.from({ length: requestsEach }, () => ['200', 'invalid_request']).flat());
  } finally {
    await gateway.stop();
  }
});
