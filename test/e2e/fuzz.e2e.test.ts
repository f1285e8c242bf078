import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Agent, request as send } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/contracts/errors/codes.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';
import { answerCheck } from '../gateway/support/described.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';
import { type Document, targetsOf } from './fuzz/document.ts';
import { type FuzzRequest, requestsOf } from './fuzz/requests.ts';
import { canary, makeWorld, type World } from './fuzz/world.ts';

/**
 * Requests that are sent, those that are sent again included. POTSTREAM_FUZZ_REQUESTS=1000000 for a soak, POTSTREAM_FUZZ_SEED for the
 * same requests again.
 */
const requests = Number(process.env.POTSTREAM_FUZZ_REQUESTS ?? '20000');
const seed = Number(process.env.POTSTREAM_FUZZ_SEED ?? (process.env.CI ? '20261122' : Date.now() % 2 ** 31));
const requestsOfRound = 500;
/** Much of what the server does for a write is waiting for the disk. */
const concurrent = 64;
const patienceMs = 3_600_000;
const undescribed = answerCheck(operations);
const logIns: ReadonlySet<string> = new Set(['/auth/admin', '/v1/auth/service']);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let system: RunningSystem;
let world: World;
const agent = new Agent({ connections: concurrent, pipelining: 1 });

beforeAll(async () => {
  const unlimited = {
    POTSTREAM_LANES: '2',
    POTSTREAM_REPORTING: 'on',
    POTSTREAM_PUBLIC_GETS_PER_SECOND: '1000000',
    POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: '1000000',
  };
  system = await startSystem({ args: ['--no-traffic'], environment: unlimited });
  world = await makeWorld(system);
}, patienceMs);
afterAll(async () => {
  await agent.close();
  await system?.stop();
}, patienceMs);

/** A slow machine may be overloaded by 64 callers; it must not stay so. */
async function ask(request: FuzzRequest): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await askOnce(request);
    const isOverloaded = answer.status === 503 && answer.text.includes('"overloaded"');
    if (!isOverloaded || tries === 5 || logIns.has(request.url)) return answer;
    await sleep(1_000);
  }
}

async function askOnce({ method, url, headers, credential, body }: FuzzRequest): Promise<Answer> {
  const token = credential === 'none' ? undefined : world.tokens[credential];
  const answer = await send(system.baseUrl + url, {
    dispatcher: agent,
    method: method as 'GET',
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: body === null || method === 'GET' || method === 'HEAD' ? null : body,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** What is wrong with the answer; null: nothing. */
function fault(request: FuzzRequest, { status, headers, text }: Answer): string | null {
  if (status >= 500 && !isTurnedAway(request, status, headers)) return 'a fault of the server';
  if (typeof headers['x-request-id'] !== 'string') return 'no X-Request-Id';
  // The last one is the foreign service, whose own data it may see.
  if (request.credential !== 'foreign' && text.includes(canary)) return "another tenant's data";
  if (status >= 400 && request.method !== 'HEAD') {
    const error = JSON.parse(text) as Record<string, unknown>;
    if (Object.keys(error).join() !== 'status_code,code,message') return 'an error of another shape';
    if (error.status_code !== status || errorStatus[error.code as keyof typeof errorStatus] !== status)
      return 'a code that does not belong to the status';
  }
  // As the client has sent it: without the segments `.` and `..`.
  const { pathname } = new URL(system.baseUrl + request.url);
  return undescribed(request.method, pathname, status, text);
}

/** A machine that hashes more slowly than it is asked to turns log-ins away, and says when to come again. */
function isTurnedAway({ url }: FuzzRequest, status: number, headers: Answer['headers']): boolean {
  return status === 503 && logIns.has(url) && typeof headers['retry-after'] === 'string';
}

async function inParallel<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const left = [...items].reverse();
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await each(item);
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
}

/** Reads and log-ins change nothing that they could break. */
const isRefusal = ({ status }: Answer): boolean => status >= 400 && status !== 429;

describe(`${requests.toLocaleString('en')} requests made from the OpenAPI document, seed ${seed}`, () => {
  it(
    'are answered as documented, change nothing where they are refused, and show no other tenant',
    async () => {
      const document = JSON.parse((await world.call('GET', '/v1/openapi.json')).text) as Document;
      const arbitrary = requestsOf(document, targetsOf(document), world.known);
      const faults: string[] = [];
      const seen: Record<string, number> = {};
      for (let sent = 0, round = 0; sent < requests; round += 1) {
        const made = fc.sample(arbitrary, { seed: seed + round, numRuns: requestsOfRound });
        const refused: FuzzRequest[] = [];
        const play = (all: readonly FuzzRequest[], then: (request: FuzzRequest, answer: Answer) => void) =>
          inParallel(all, async (request) => {
            const answer = await ask(request);
            const wrong = fault(request, answer);
            if (wrong !== null)
              faults.push(
                `${wrong}: ${JSON.stringify(request)} → ${answer.status} ${answer.text.slice(0, 500)}`,
              );
            then(request, answer);
          });
        await play(made, (request, answer) => {
          const name = `${request.kind} ${Math.floor(answer.status / 100)}xx`;
          seen[name] = (seen[name] ?? 0) + 1;
          if (isRefusal(answer) && request.method !== 'GET') refused.push(request);
        });
        // Once more, only what was refused: that must change nothing at all.
        const before = await world.state();
        let accepted = 0;
        await play(refused, (_, answer) => {
          if (answer.status < 400) accepted += 1;
        });
        sent += made.length + refused.length;
        if (accepted === 0)
          expect(await world.state(), 'refused requests have changed something').toBe(before);
        if (faults.length > 20) break;
        await world.repair();
      }
      console.info(`seed ${seed}: ${JSON.stringify(seen)}`);
      expect(faults).toEqual([]);
    },
    patienceMs,
  );

  it('leave every account of every instance balanced', async () => {
    for (const instance of world.instances) {
      const { status, text } = await world.call('GET', `/v1/fairness/instances/${instance}/conservation`);
      expect(status).toBe(200);
      expect(text).toMatch(/"sum":"?0"?/);
    }
  });
});
