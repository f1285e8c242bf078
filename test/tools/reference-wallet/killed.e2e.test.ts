import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callWallet, type DemoWallet } from '../../../tools/demo/wallet-call.ts';
import { readKeys } from '../../../tools/reference-wallet/keys.ts';
import { freePort } from '../../support/free-port.ts';
import { transaction } from './support.ts';

const repository = join(import.meta.dirname, '../../..');
const callers = 32;
const kills = 3;
/** Of each life of the process. */
const answersBeforeTheKill = 400;

let folder: string;
let port: number;
let child: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-killed-'));
  port = await freePort();
  const build = `import('${join(repository, 'scripts/set-up.mjs')}').then(({ setUp }) => setUp())`;
  await promisify(execFile)(process.execPath, ['--eval', build]);
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(): Promise<DemoWallet> {
  child = spawn(process.execPath, [join(repository, 'bin/potstream'), 'reference-wallet'], {
    env: { ...process.env, POTSTREAM_DATA: folder, POTSTREAM_WALLET_PORT: String(port) },
    stdio: 'ignore',
  });
  for (;;) {
    const keys = readKeys(folder);
    const wallet = { url: `http://127.0.0.1:${port}`, keys: keys ?? { bearerKey: '', hmacSecret: '' } };
    if (keys !== null && (await callWallet(wallet, 'GET', '/control/ledger'))?.status === 200) return wallet;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Debits, credits and cancellations until the process is killed; gives all that was answered. */
async function load(
  wallet: DemoWallet,
  life: number,
): Promise<Map<string, { path: string; body: object; answer: unknown }>> {
  const answered = new Map<string, { path: string; body: object; answer: unknown }>();
  let isOver = false;
  const send = async (path: string, body: object) => {
    const answer = await callWallet(wallet, 'POST', path, body);
    if (answer === null || answer.status !== 200) isOver = true;
    else
      answered.set(path.endsWith('cancel') ? path : (body as { transaction_id: string }).transaction_id, {
        path,
        body,
        answer,
      });
    if (answered.size >= answersBeforeTheKill) child.kill('SIGKILL');
  };
  const caller = async (number: number) => {
    for (let count = 0; !isOver; count += 1) {
      const transaction_id = `${life}-${number}-${count}`;
      const transaction_type = count % 3 === 0 ? 'Credit' : 'Debit';
      await send('/transactions', transaction({ transaction_id, transaction_type, amount: 0.01 }));
      // The cancelled one is not repeated below: its repeat would be refused.
      if (count % 7 !== 6 || isOver) continue;
      answered.delete(transaction_id);
      await send(`/transactions/${transaction_id}/cancel`, {});
    }
  };
  const exited = once(child, 'exit');
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  await exited;
  return answered;
}

it('a wallet that is killed under load has done all that it answered, once', async () => {
  let wallet = await start();
  const player = { brand_id: 'acme:main', player_id: 'ada', currency: 'EUR', balance: '1000' };
  await callWallet(wallet, 'PUT', '/control/players', [player]);
  for (let life = 0; life < kills; life += 1) {
    const answered = await load(wallet, life);
    expect(answered.size).toBeGreaterThan(100);
    wallet = await start();
    for (const { path, body, answer } of answered.values())
      expect(await callWallet(wallet, 'POST', path, body)).toEqual(answer);
    const { body } = (await callWallet(wallet, 'GET', '/control/ledger')) ?? {};
    expect(body).toMatchObject({
      applied_more_than_once: [],
      currencies: [{ currency: 'EUR', difference: 0 }],
    });
  }
});
