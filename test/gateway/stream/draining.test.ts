import { describe, expect, it } from 'vitest';
import { quiet, startTestGateway } from '../support/gateway.ts';
import { contribution, RawClient } from '../support/raw-client.ts';
import { line, StreamClient, streamPath } from './stream-client.ts';

describe('a gateway that stops', () => {
  it('answers the lines that it took, and says where to go on', async () => {
    const gateway = await startTestGateway();
    const token = await gateway.serviceToken();
    let release = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.respond = async (command) => {
      await waiting;
      return quiet(command);
    };
    const client = new StreamClient(gateway.port, { token });
    const idle = new StreamClient(gateway.port, { token });
    const before = new RawClient(gateway.port);
    before.send(contribution(token, 'open'));
    client.send('\n');
    client.sendLines([1, 2, 3].map((ref) => line(ref)));
    await idle.status();
    await client.until(() => gateway.commands.length === 4);
    const stopped = gateway.stop();
    // A stream without lines under way ends at once.
    expect(await idle.results()).toMatchObject([
      { ref: null, line: 1, error: { status_code: 503, code: 'shutting_down' }, retry_after: 1, end: true },
    ]);
    client.sendLines([4, 5].map((ref) => line(ref)));
    before.send(`POST ${streamPath} HTTP/1.1\r\n`);
    expect(client.lines).toEqual([]);
    release();
    const lines = await client.results();
    expect(lines.slice(0, 3).map(({ ref, results }) => [ref, results.length])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(lines.slice(3)).toMatchObject([
      { ref: null, line: 5, error: { code: 'shutting_down' }, end: true },
    ]);
    await client.until(() => client.closed);
    await stopped;
    expect(gateway.commands).toHaveLength(4);
  });
});
