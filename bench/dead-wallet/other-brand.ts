import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { contributions, type Load } from '../lib/debits.ts';
import { administratorOf, callerOf } from '../lib/http.ts';
import type { BenchJackpot } from '../lib/jackpot.ts';
import type { RunningSystem } from '../lib/system.ts';
import type { LoadPlan } from '../load.ts';
import type { WalletMode } from './wallet.ts';

const operator = 'bench';
const id = 'other';
const token = 'session';
const subscription = { source: 'jackpot', event_type: 'JackpotUpdate' };

/**
 * A brand beside the one that is measured, with the same jackpot and in the same lane, and a wallet that can
 * be down.
 */
export interface OtherBrand {
  become(mode: WalletMode): void;
  contributions(load: Load): LoadPlan;
  /** Its jackpot for a source, as a frontend asks for it (O13). */
  lookups(load: Load): LoadPlan;
  feed(): Promise<FeedWatch>;
  stop(): Promise<void>;
}

export interface FeedWatch {
  /** Updates since the last call, and the longest that there was none. */
  take(): { readonly updates: number; readonly maxGapMs: number };
  close(): void;
}

export async function makeOtherBrand(system: RunningSystem, jackpot: BenchJackpot): Promise<OtherBrand> {
  const wallet = await startWallet();
  const call = callerOf(system);
  const admin = await administratorOf(system);
  await call('POST', `/config/operators/${operator}/brands`, [{ id, name: 'Other' }], admin);
  const settings = {
    base_url: `http://127.0.0.1:${wallet.port}`,
    bearer_key: 'bearer-key-of-this-bench',
    hmac_secret: 'secret-of-this-bench-and-long-enough',
    provider_id: 'potstream',
    close_rounds: false,
  };
  await call('PUT', `/config/operators/${operator}/brands/${id}/wallet`, settings, admin);
  const brand = `${operator}:${id}`;
  const { host, port } = system;
  return {
    become: (mode) => void wallet.child.stdin.write(`${mode}\n`),
    contributions: (load) => contributions(system, { ...jackpot, brand }, token, load),
    lookups: (load) => ({
      ...{ ...load, host, port, method: 'GET', headers: {}, body: '' },
      path: `/v1/jackpot/instances/source/${jackpot.source}/brand/${brand}?country_code=DE`,
    }),
    feed: () => watch(`ws://${host}:${port}/events/${operator}/${id}?token=${token}&currency=EUR`),
    async stop() {
      const ended = once(wallet.child, 'exit');
      wallet.child.stdin.end();
      await ended;
    },
  };
}

async function startWallet(): Promise<{
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly port: number;
}> {
  const script = fileURLToPath(new URL('./wallet.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, port: Number(line) };
}

async function watch(url: string): Promise<FeedWatch> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.send(JSON.stringify({ SubscribeRequest: { events: [subscription] } }));
  let [updates, maxGapMs, lastMs] = [0, 0, performance.now()];
  const seen = (): void => {
    const nowMs = performance.now();
    maxGapMs = Math.max(maxGapMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  socket.on('message', (data) => {
    if (!String(data).includes('JackpotUpdate')) return;
    updates += 1;
    seen();
  });
  return {
    take() {
      seen();
      const taken = { updates, maxGapMs };
      [updates, maxGapMs] = [0, 0];
      return taken;
    },
    close: () => socket.close(),
  };
}
