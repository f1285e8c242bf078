import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { bindSharedSocket, type SharedSocket } from '../../src/supervisor/shared-socket.ts';

/** Says its number to whoever connects. */
const greeter = (number: number) => `
  const server = require('node:net').createServer((socket) => socket.end('${number}'));
  server.listen({ fd: 4 }, () => process.send('listens'));
`;

const children: ChildProcess[] = [];
let socket: SharedSocket;

afterEach(async () => {
  socket.close();
  for (const child of children.splice(0)) await killed(child);
});

async function start(number: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', greeter(number)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', socket.fd],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function greeting(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const client = connect(socket.port, '127.0.0.1');
    client.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    client.once('end', () => resolve(text)).once('error', reject);
  });
}

test('children share the connections, and who dies leaves them to the others', async () => {
  socket = await bindSharedSocket('127.0.0.1', 0);
  const [one, two] = [await start(1), await start(2)];
  await killed(one);
  for (let n = 0; n < 20; n += 1) expect(await greeting()).toBe('2');
  await start(3);
  await killed(two);
  for (let n = 0; n < 20; n += 1) expect(await greeting()).toBe('3');
});

test('a connection waits while nobody is there to take it', async () => {
  socket = await bindSharedSocket('localhost', 0);
  await killed(await start(1));
  const waiting = greeting();
  await start(2);
  expect(await waiting).toBe('2');
});

test('an address that is not of this machine is named', async () => {
  socket = await bindSharedSocket('127.0.0.1', 0);
  await expect(bindSharedSocket('203.0.113.9', 0)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});
