import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { RefusalDelays } from '../../../src/gateway/http/refusal-delays.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { RawClient } from '../support/raw-client.ts';

const { promptRefusals, delayedRefusalsOfCaller, delayedRefusals } = httpLimits;

/** Timers that run when a test says so. */
let timers: { readonly delayMs: number; readonly task: () => void }[];
const after = (delayMs: number, task: () => void) => {
  const timer = { delayMs, task };
  timers.push(timer);
  return () => {
    timers = timers.filter((each) => each !== timer);
  };
};
function runTimers(): void {
  for (const { task } of timers.splice(0)) task();
}
beforeEach(() => {
  timers = [];
  // No random part: the delays are as long as they may be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('refusals by limits of an address', () => {
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after };
  let nowMs: number;
  let delays: RefusalDelays;
  beforeEach(() => {
    nowMs = 1_000_000;
    delays = new RefusalDelays(clock);
  });

  /** How late so many refusals are, one after the other. */
  function refuse(count: number, address = 'a'): number[] {
    return Array.from({ length: count }, () => {
      delays.send(address, () => {});
      const delayMs = timers.at(-1)?.delayMs ?? 0;
      runTimers();
      return delayMs;
    });
  }

  test('leave at once, then later and later up to a second', () => {
    expect(refuse(promptRefusals)).toEqual(Array(promptRefusals).fill(0));
    const further = refuse(1_500);
    expect(further[0]).toBe(100);
    expect(further[99]).toBe(100);
    expect(further[100]).toBe(200);
    expect(further[950]).toBe(1_000);
    expect(further.at(-1)).toBe(1_000);
  });

  test('are forgiven with time, and never those of another address', () => {
    refuse(2_000);
    expect(refuse(1, 'b')).toEqual([0]);
    nowMs += 30_000;
    expect(refuse(1)[0]).toBeLessThan(1_000);
    nowMs += 3_600_000;
    expect(refuse(promptRefusals + 1)).toEqual([...Array(promptRefusals).fill(0), 100]);
    nowMs -= 3_600_000;
    expect(refuse(1)).toEqual([100]);
  });

  test('are shortened by a random part, of up to half', () => {
    refuse(promptRefusals);
    vi.mocked(Math.random).mockReturnValue(0.5);
    expect(refuse(1)).toEqual([75]);
    vi.mocked(Math.random).mockReturnValue(0.999);
    expect(refuse(1)).toEqual([50]);
  });

  test('wait in bounded numbers, of an address and in all; beyond, the connection ends', () => {
    const closed = (address: string) => {
      let told: boolean | null = null;
      delays.send(address, (closes) => {
        told = closes;
      });
      return told;
    };
    refuse(promptRefusals);
    for (let count = 0; count < delayedRefusalsOfCaller; count += 1) expect(closed('a')).toBeNull();
    expect(closed('a')).toBe(true);
    for (let other = 1; other * delayedRefusalsOfCaller < delayedRefusals; other += 1) {
      for (let count = 0; count < promptRefusals; count += 1) expect(closed(`b${other}`)).toBe(false);
      for (let count = 0; count < delayedRefusalsOfCaller; count += 1) closed(`b${other}`);
    }
    refuseAtOnce('c');
    expect(closed('c')).toBe(true);
    runTimers();
    expect(closed('a')).toBeNull();

    function refuseAtOnce(address: string): void {
      for (let count = 0; count < promptRefusals; count += 1) expect(closed(address)).toBe(false);
    }
  });
});

describe.each([
  ['on the fast path', 'Accept: */*'],
  ["on Node's server", 'X-Odd: \u00e4'],
])('%s', (_name, header) => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ publicGetsPerSecond: 1, after });
    gateway.stopClock();
  });
  afterEach(() => gateway.stop());

  const lookup = `GET /v1/jackpot/instances/gold/ticker HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`;
  /** A further hundred of them is later by as much. */
  const delayed = () => timers.filter(({ delayMs }) => [100, 200, 300].includes(delayMs));

  test('an address far above its limit waits for its refusals, and then loses its connections', async () => {
    const flood = new RawClient(gateway.port);
    for (let sent = 1; sent <= promptRefusals + 1; sent += 1) {
      flood.send(lookup);
      await flood.answers(sent);
    }
    expect(flood.outcomes().slice(1)).toEqual(Array(promptRefusals).fill('rate_limited'));
    flood.send(lookup);
    await flood.until(() => delayed().length === 1);
    const others = Array.from({ length: delayedRefusalsOfCaller - 1 }, () => new RawClient(gateway.port));
    for (const [index, other] of others.entries()) {
      other.send(lookup);
      if (index % 16 === 0) await other.until(() => delayed().length === index + 2);
    }
    await flood.until(() => delayed().length === delayedRefusalsOfCaller);
    const last = new RawClient(gateway.port);
    last.send(lookup + lookup);
    expect(await last.ending()).toEqual(['rate_limited']);
    expect(last.text).toContain('\r\nConnection: close\r\n');
    expect(flood.statuses()).toHaveLength(promptRefusals + 1);
    runTimers();
    for (const other of others) expect(await other.answers(1)).toEqual([429]);
    expect(await flood.answers(promptRefusals + 2)).toHaveLength(promptRefusals + 2);
    expect(flood.text).not.toContain('Connection: close');
    for (const client of [flood, ...others]) client.socket.destroy();
  });

  test('an operator far above its quota waits, and its neighbour at the same address does not', async () => {
    const quota = { contributions_per_second: 1, bytes_per_second: null };
    const entry = { ...gateway.readModel.entries.operators.get('acme')!, quota } as never;
    gateway.readModel.directoryChanged({ kind: 'set', entry }, 1_000);
    const flood = new RawClient(gateway.port);
    const contribution = contributionOf(await gateway.serviceToken('acme'), 'gold', header);
    for (let sent = 1; sent <= promptRefusals + 1; sent += 1) {
      flood.send(contribution);
      await flood.answers(sent);
    }
    expect(flood.outcomes().slice(1)).toEqual(Array(promptRefusals).fill('rate_limited'));
    flood.send(contribution);
    await flood.until(() => delayed().length === 1);
    const neighbour = new RawClient(gateway.port);
    neighbour.send(contributionOf(await gateway.serviceToken('rival'), 'foreign', header));
    expect(await neighbour.answers(1)).toEqual([200]);
    expect(flood.statuses()).toHaveLength(promptRefusals + 1);
    runTimers();
    await flood.answers(promptRefusals + 2);
    for (const client of [flood, neighbour]) client.socket.destroy();
  });
});

function contributionOf(token: string, instance: string, header: string): string {
  const body = JSON.stringify({
    token: 'session',
    brand_id: 'main',
    player_id: 'p',
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
  });
  return [
    `POST /v1/jackpot/instances/${instance}/contributions HTTP/1.1`,
    ...['Host: a', `Authorization: Bearer ${token}`, header],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`, '', body],
  ].join('\r\n');
}

test.each([['log-ins', 'POST', '/auth/admin', { username: 'nobody', password: 'a wrong one' }]])(
  'refusals of %s wait alike',
  async (_name, method, path, body) => {
    const gateway = await startTestGateway({ after });
    gateway.stopClock();
    let statuses: number[] = [];
    const one = async () => {
      statuses.push((await gateway.call(method, path, { body })).status);
    };
    while (statuses.filter((status) => status === 429).length < promptRefusals) await one();
    statuses = [];
    const waiting = one();
    while (!timers.some(({ delayMs }) => delayMs === 100))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(statuses).toEqual([]);
    runTimers();
    await waiting;
    expect(statuses).toEqual([429]);
    await gateway.stop();
  },
  60_000,
);
