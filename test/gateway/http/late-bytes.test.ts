import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chunked, chunkOf, contribution, RawClient } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
});
afterAll(() => gateway.stop());

const mebibyte = Buffer.alloc(1024 * 1024, 'x');
/** More than the kernel holds for both sides. */
const flood = 128;

/** How many of so many mebibytes the gateway takes before it cuts the connection. */
async function taken(client: RawClient, next: (index: number) => Buffer): Promise<number> {
  for (let index = 0; index < flood; index += 1) {
    if (client.closed) return index;
    if (client.socket.write(next(index))) continue;
    await new Promise<void>((resolve) => {
      client.socket.once('drain', resolve).once('close', () => resolve());
    });
  }
  return flood;
}

test.each([
  ['a refusal on the fast path', () => large()],
  ['a refusal of the parser', () => 'garbage\r\n\r\n'],
  ['an error behind an answer', () => `${contribution(token, 'a')}garbage\r\n\r\n`],
])('a connection that ends with %s takes no flood', async (_name, bytes) => {
  const client = new RawClient(gateway.port);
  client.send(bytes());
  await client.answers(1);
  expect(await taken(client, () => mebibyte)).toBeLessThan(flood);
  client.socket.destroy();
});

test.each([
  ['that is refused for its head', ['Transfer-Encoding: chunked', 'Content-Encoding: gzip']],
  ['that is too large', ['Transfer-Encoding: chunked']],
])('neither does a body %s', async (_name, headers) => {
  const client = new RawClient(gateway.port);
  client.send(chunked(token, '', headers));
  const chunk = Buffer.from(chunkOf(mebibyte.toString('latin1')), 'latin1');
  expect(await taken(client, () => chunk)).toBeLessThan(flood);
  client.socket.destroy();
});

/** Refused as too large only once it has been read. */
function large(): string {
  const whole = contribution(token, 'large');
  const [head, body] = whole.split('\r\n\r\n') as [string, string];
  const metadata = body.replace('{', `{"metadata":{"m":"${'x'.repeat(9_000)}"},`);
  return `${head.replace(/Content-Length: \d+/, `Content-Length: ${metadata.length}`)}\r\n\r\n${metadata}`;
}
