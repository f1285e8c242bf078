import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { FeedWorld } from '../../fanout/feed-world.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { contribution, RawClient } from '../support/raw-client.ts';

let gateway: TestGateway;
let token: string;
let stopped: Promise<void> | undefined;

beforeEach(async () => {
  gateway = await startTestGateway();
  token = await gateway.serviceToken();
  stopped = undefined;
});
afterEach(async () => {
  await (stopped ?? gateway.stop());
});

const refused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });

test('connections that are to move end with their next answers, and no others', async () => {
  const clients = Array.from({ length: 6 }, () => new RawClient(gateway.port));
  const ask = async (round: number): Promise<void> => {
    for (const [index, client] of clients.entries()) {
      if (client.ended) continue;
      client.send(contribution(token, `${round}-${index}`));
      expect((await client.answers(round)).at(-1)).toBe(200);
    }
  };
  await ask(1);
  expect(gateway.movableConnections()).toBe(6);
  gateway.moveConnections(4);
  await ask(2);
  await expect.poll(() => clients.filter(({ ended }) => ended).length).toBe(4);
  expect(clients.map(({ text }) => text.match(/Connection: close/gi)?.length ?? 0)).toEqual([
    1, 1, 1, 1, 0, 0,
  ]);
  for (const { socket } of clients.slice(0, 4)) socket.destroy();
  await ask(3);
  await expect.poll(() => gateway.movableConnections()).toBe(2);
  // What is asked for anew is not added to what was left.
  gateway.moveConnections(5);
  gateway.moveConnections(0);
  await ask(4);
  expect(clients.slice(4).every(({ ended }) => !ended)).toBe(true);
  expect(gateway.commands).toHaveLength(6 + 6 + 2 + 2);
  for (const { socket } of clients) socket.destroy();
});

test('requests that wait on a connection behind another one keep it', async () => {
  gateway.moveConnections(1);
  const client = new RawClient(gateway.port);
  client.send(contribution(token, 'first') + contribution(token, 'second'));
  expect(await client.answers(1)).toContain(200);
  expect(await client.ending()).toEqual(['200', '200']);
});

test('a gateway that hands over takes no connection any more, and answers all that it has', async () => {
  const respond = gateway.respond;
  let answer = (): void => {};
  const [idle, slow, busy] = [
    new RawClient(gateway.port),
    new RawClient(gateway.port),
    new RawClient(gateway.port),
  ];
  for (const [index, client] of [idle, busy].entries()) {
    client.send(contribution(token, `before-${index}`));
    expect(await client.answers(1)).toEqual([200]);
  }
  gateway.respond = (command) =>
    new Promise((resolve) => {
      answer = () => resolve(respond(command) as never);
    });
  slow.send(contribution(token, 'under way'));
  await expect.poll(() => gateway.commands.length).toBe(3);
  gateway.respond = respond;
  stopped = gateway.stop('hand_over');
  await expect.poll(() => refused(gateway.port)).toBe(true);
  busy.send(contribution(token, 'behind it'));
  expect(await busy.ending()).toEqual(['200', '200']);
  answer();
  expect(await slow.ending()).toEqual(['200']);
  // It asks nothing, and is ended without an answer.
  expect(await idle.ending()).toEqual(['200']);
  await stopped;
});

test('feeds of a gateway that hands over are told to come back', async () => {
  const feed = new FeedWorld();
  feed.addInstance('pot-1');
  await feed.start();
  const tunnelling = await startTestGateway({ fanoutPort: feed.fanout.port });
  const path = `/events/service?token=${await feed.token()}`;
  const codes: number[] = [];
  const sockets = [0, 1].map(() => new WebSocket(`ws://127.0.0.1:${tunnelling.port}${path}`));
  for (const socket of sockets) {
    socket.on('close', (code) => codes.push(code));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  }
  // A frame of the client is on its way: the close waits for its end.
  const half = (sockets[1] as unknown as { _socket: import('node:net').Socket })._socket;
  half.write(Buffer.from([0x89, 0x84, 0, 0, 0, 0, 1, 2]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = tunnelling.stop('hand_over');
  await expect.poll(() => codes).toEqual([1001]);
  half.write(Buffer.from([3, 4]));
  await expect.poll(() => codes).toEqual([1001, 1001]);
  await ended;
  await feed.stop();
});
