/**
 * One tenant at its worst, in a process of its own: everything at once that a tenant, an address or a
 * stranger can do to the others, until its standard input closes. Reads one JSON plan, a line; writes one
 * JSON report of what was answered.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

export interface AttackPlan {
  readonly host: string;
  readonly port: number;
  /** The hostile operator's. */
  readonly serviceToken: string;
  readonly administratorToken: string;
  readonly operator: string;
  readonly brands: readonly string[];
  /** Every contribution to it wins and is shared. */
  readonly heavyInstance: string;
  readonly plainInstance: string;
  /** A service user of the other tenant, whose password is guessed. */
  readonly victim: string;
  /** Attempts a second by attack; one that is not named goes as fast as its answers come. */
  readonly paces: Readonly<Record<string, number>>;
  readonly deafConnections: number;
  /** Names of attacks; empty: all of them at once. */
  readonly only: readonly string[];
  /** A brand with a wallet, for made-up players' tokens. */
  readonly walletBrand: string;
  readonly walletInstance: string;
}

export type AttackReport = Readonly<Record<string, Readonly<Record<string, number>>>>;

const heavyCallers = 8;
const largeCallers = 8;
const floodCallers = 60;
const tokenCallers = 60;
const fragmentSockets = 100;
const heavyPlayers = 400;

/** A table has a thousand, the base currency among them. */
const currencies = Array.from({ length: 999 }, (_, index) => currencyOf(index));
const exponents = Object.fromEntries(currencies.map((currency) => [currency, 2]));

const report: Record<string, Record<string, number>> = {};
const lines = createInterface({ input: process.stdin });
const plan = JSON.parse(await new Promise<string>((resolve) => lines.once('line', resolve))) as AttackPlan;
let running = true;
lines.once('close', () => {
  running = false;
});
const base = `http://${plan.host}:${plan.port}`;
const agent = new Agent({ connections: 256, pipelining: 1 });

function note(attack: string, status: number | string): void {
  report[attack] ??= {};
  const answers = report[attack];
  answers[status] = (answers[status] ?? 0) + 1;
}

async function call(attack: string, method: 'GET' | 'POST' | 'PUT', path: string, body: unknown, token = '') {
  try {
    const answer = await request(`${base}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    note(attack, answer.statusCode);
    if (answer.statusCode >= 400) await pause(20);
  } catch (error) {
    note(attack, (error as { code?: string }).code ?? 'failed');
    await pause(50);
  }
}

function callers(
  attack: string,
  count: number,
  each: (caller: number, turn: number) => Promise<void>,
): Promise<unknown>[] {
  const everyMs = everyMsOf(attack, count);
  return Array.from({ length: count }, async (_, caller) => {
    await pause((everyMs * caller) / count);
    for (let turn = 0, dueMs = performance.now(); running; turn += 1) {
      await each(caller, turn);
      dueMs += everyMs;
      if (everyMs > 0) await pause(dueMs - performance.now());
    }
  });
}

/** How long each of `count` callers takes for an attempt at the plan's pace; 0: there is none. */
function everyMsOf(attack: string, count: number): number {
  const perSecond = plan.paces[attack];
  return perSecond === undefined ? 0 : (count * 1_000) / perSecond;
}

function contribution(player: string, key: string, more: object = {}) {
  return {
    token: 'session',
    brand_id: plan.brands[0],
    player_id: player,
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
    ...more,
  };
}

const life = Math.floor(performance.timeOrigin).toString(36);
const contribute = (attack: string, instance: string, body: unknown) =>
  call(attack, 'POST', `/v1/jackpot/instances/${instance}/contributions`, body, plan.serviceToken);

const attacks: Readonly<Record<string, () => readonly Promise<unknown>[]>> = {
  'shared wins': () =>
    callers('shared wins', heavyCallers, (caller, turn) => {
      const player = `${'𝕡'.repeat(124)}${String((caller * 97 + turn) % heavyPlayers).padStart(4, '0')}`;
      return contribute(
        'shared wins',
        plan.heavyInstance,
        contribution(player, `h${life}-${caller}-${turn}`),
      );
    }),
  'large metadata': () =>
    callers('large metadata', largeCallers, (caller, turn) => {
      const options = { event_metadata: { text: 'x'.repeat(7_000) } };
      const body = contribution(`large-${caller}`, `l${life}-${caller}-${turn}`, options);
      return contribute('large metadata', plan.plainInstance, body);
    }),
  'colliding players': () =>
    callers('colliding players', 1, (_, turn) =>
      contribute(
        'colliding players',
        plan.plainInstance,
        contribution(collidingId(turn), `c${life}-${turn}`),
      ),
    ),
  'wrong log-ins': () =>
    callers('wrong log-ins', floodCallers, (caller, turn) =>
      call('wrong log-ins', 'POST', '/v1/auth/service', {
        username: `u${caller}-${turn}`,
        password: 'a wrong one',
      }),
    ),
  guesses: () =>
    callers('guesses', 2, () =>
      call('guesses', 'POST', '/v1/auth/service', { username: plan.victim, password: 'a wrong one' }),
    ),
  "made-up players' tokens": () =>
    callers("made-up players' tokens", tokenCallers, async (caller, turn) => {
      const answer = await request(
        `${base}/v1/jackpot/instances/${plan.walletInstance}/winners?brand_id=${plan.walletBrand}`,
        {
          dispatcher: agent,
          headers: { 'x-player-token': `made-up-${caller}-${turn}` },
        },
      ).catch(() => null);
      await answer?.body.dump();
      note("made-up players' tokens", answer?.statusCode ?? 'failed');
      await pause(20);
    }),
  'rate tables': () =>
    callers('rate tables', 2, (caller, turn) => {
      const brand = plan.brands[(turn * 2 + caller) % plan.brands.length]!;
      const multipliers = Object.fromEntries(
        currencies.map((currency, index) => [
          currency,
          `${1_000_000 + index}.${10_000_000 + (turn % 10_000_000)}`,
        ]),
      );
      return call(
        'rate tables',
        'PUT',
        `/config/currencies/${brand}`,
        { multipliers, exponents },
        plan.administratorToken,
      );
    }),
  'connections that do not read': () => Array.from({ length: plan.deafConnections }, askWithoutReading),
  'unfinished messages': () => Array.from({ length: fragmentSockets }, holdFragments),
};
const begun = process.cpuUsage();
const chosen = plan.only.length === 0 ? Object.keys(attacks) : plan.only;
await Promise.all(chosen.flatMap((name) => attacks[name]?.() ?? []));
while (running) await pause(100);
const { user, system } = process.cpuUsage(begun);
process.stdout.write(JSON.stringify({ answers: report, cpuSeconds: (user + system) / 1e6 }));
process.exit(0);

/** Pipelines lookups and never reads an answer. */
async function askWithoutReading(): Promise<void> {
  const begunMs = performance.now();
  const socket = connect(plan.port, plan.host);
  const ask = `GET /v1/jackpot/instances/${plan.plainInstance}/ticker HTTP/1.1\r\nHost: ${plan.host}\r\n\r\n`;
  socket.pause();
  socket.on('error', () => {});
  socket.on('close', () => {
    note('connections that do not read', 'cut');
    const everyMs = everyMsOf('connections that do not read', plan.deafConnections);
    if (running)
      setTimeout(() => void askWithoutReading(), Math.max(100, begunMs + everyMs - performance.now()));
  });
  const write = (): void => {
    if (!running || socket.destroyed) return;
    while (socket.write(ask.repeat(20)));
    socket.once('drain', write);
  };
  socket.once('connect', write);
}

/** Three letters: CAA, CAB, … */
function currencyOf(index: number): string {
  const letter = (number: number): string => String.fromCharCode(65 + (number % 26));
  return letter(2 + index / 676) + letter(index / 26) + letter(index);
}

/** Keeps a message of a websocket unfinished. */
async function holdFragments(): Promise<void> {
  const begunMs = performance.now();
  const socket = new WebSocket(`ws://${plan.host}:${plan.port}/v1/jackpot/status`);
  socket.on('error', () => note('unfinished messages', 'refused'));
  socket.on('close', (code) => {
    note('unfinished messages', code);
    const everyMs = everyMsOf('unfinished messages', fragmentSockets);
    if (running)
      setTimeout(() => void holdFragments(), Math.max(1_000, begunMs + everyMs - performance.now()));
  });
  socket.on('open', () => {
    const feed = (): void => {
      if (!running || socket.readyState !== WebSocket.OPEN) return;
      socket.send('x'.repeat(1_000), { fin: false });
      setTimeout(feed, 20);
    };
    feed();
  });
}

/** Ids that end alike under an unkeyed FNV-1a. */
function collidingId(turn: number): string {
  for (let number = turn * 4_096; ; number += 1) {
    const id = number.toString(36);
    let hash = 0x811c9dc5;
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
    if ((hash & 0xfff) === 0x123) return id;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
