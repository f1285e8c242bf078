import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { potstream } from '../../cli/support/command.ts';
import { eventually } from '../../outbox/support/receiver.ts';
import { type Answer, callForText, callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn, OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** What a running system answers about what happened in it. */
let system: RunningSystem;
let operator: OperatorClient;
let reporter = '';
let admin = '';
let instance = '';
const patienceMs = 240_000;
const player = 'reported-player';

beforeAll(async () => {
  system = await oneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  reporter = await newReporter('reporter', 'demo');
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
}, patienceMs);

/** The token of a new service user with the right to reports. */
async function newReporter(username: string, operator_id: string): Promise<string> {
  const user = { username, password: 'a long password', operator_id, rights: ['reports'] };
  const { status } = await callGateway(system.baseUrl, 'POST', '/config/service-users', user, admin);
  expect(status).toBe(201);
  return loggedIn(`${system.baseUrl}/v1/auth/service`, { username, password: user.password });
}

async function contribute(gameround_id: string): Promise<string> {
  const contribution = {
    ...{ token: 'session', brand_id: 'demo:direct', player_id: player, player_country: 'DE' },
    ...{ base_wager: 10, currency: 'EUR', gameround_id, idempotency_key: randomUUID() },
  };
  let id = '';
  await eventually(async () => {
    const { status, headers } = await operator.contribute(instance, contribution);
    id = headers['x-contribution-id'] ?? '';
    return status === 200;
  }, 'a contribution is taken');
  return id;
}

/** As a client does it: again while it is told to come later. */
async function get(path: string, token = reporter): Promise<Answer> {
  for (;;) {
    const answer = await callForText(system.baseUrl, 'GET', `/v1/reports${path}`, undefined, token);
    if (answer.status !== 503)
      return { ...answer, json: path.startsWith('/exports') ? null : JSON.parse(answer.text) };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Until the books have it: a busy machine leaves them behind. */
async function booked(id: string): Promise<void> {
  await eventually(async () => {
    const { headers } = await get(`/contributions?contribution_id=${id}&wait=${id}`);
    return headers.get('x-incomplete') === null;
  }, 'the books have it');
}

async function textOf(path: string, token = reporter): Promise<string> {
  const { status, text } = await get(path, token);
  expect(status).toBe(200);
  return text;
}

test(
  'a contribution is explained as soon as it is there, and found by each of its ids',
  async () => {
    const id = await contribute('reported-round');
    await booked(id);
    const { status, json } = await get(`/contributions/${id}`);
    expect(status).toBe(200);
    const [contribution] = json.contributions;
    expect(contribution).toMatchObject({
      contribution_id: id,
      base_wager: 10,
      gameround_id: 'reported-round',
    });
    expect(contribution.rules.pots.length).toBeGreaterThan(0);
    const sum = contribution.shares.reduce(
      (total: number, { amount }: { amount: number }) => total + amount,
      0,
    );
    expect(sum).toBeCloseTo(0, 8);
    expect(json.draws).toMatchObject([{ instance_id: instance }]);
    for (const q of [id, 'reported-round'])
      expect((await get(`/search?q=${q}`)).json.contributions).toMatchObject([{ contribution_id: id }]);
    expect((await get(`/search?q=${player}`)).json.players).toEqual([
      { brand_id: 'demo:direct', player_id: player },
    ]);
    expect((await get(`/search?q=${instance}`)).json.instances).toMatchObject([{ instance_id: instance }]);
    expect((await get(`/players/${player}?brand_id=direct`)).json).toMatchObject({ contributions: [{}] });
  },
  patienceMs,
);

test(
  'the day is the sum of its contributions, however they are taken away',
  async () => {
    const made: string[] = [];
    for (let count = 0; count < 25; count += 1) made.push(await contribute(`round-${count}`));
    await booked(made.at(-1)!);
    const listed: { readonly contribution_id: string; readonly jackpot_contribution: number }[] = [];
    let cursor = '';
    do {
      const path = `/contributions?player_id=${player}&brand_id=direct&limit=10${cursor}`;
      const { json, headers } = await get(path);
      listed.push(...json);
      const next = headers.get('x-next-cursor');
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(listed.map((each) => each.contribution_id)).toEqual(expect.arrayContaining(made));
    expect(new Set(listed.map((each) => each.contribution_id)).size).toBe(listed.length);

    const ndjson = await textOf(
      `/exports/contributions?format=ndjson&brand_id=direct&instance_id=${instance}`,
    );
    const lines = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.player === player)).toHaveLength(listed.length);
    const rest = await textOf(
      `/exports/contributions?format=ndjson&brand_id=direct&instance_id=${instance}&cursor=${lines[3].cursor}`,
    );
    expect(ndjson.endsWith(rest)).toBe(true);
    expect(rest.trimEnd().split('\n')).toHaveLength(lines.length - 4);
    const csv = await textOf(`/exports/contributions?format=csv&brand_id=direct&instance_id=${instance}`);
    expect(csv.trimEnd().split('\r\n').length).toBe(lines.length + 1);

    const days = lines.map(({ time }) => new Date(time).toISOString().slice(0, 10));
    const path = `/daily?from=${days[0]}&to=${days.at(-1)}&brand_id=direct&instance_id=${instance}&group_by=instance&players=true`;
    const [report] = (await get(path)).json;
    expect(report.contributions).toBe(lines.length);
    expect(report.players).toBe(new Set(lines.map((line) => line.player)).size);
    const contributed = lines.reduce((total, line) => total + line.contribution_amount, 0);
    expect(report.contributed).toBeCloseTo(contributed, 6);
  },
  patienceMs,
);

test(
  'a jackpot is shown as it was at any place of its lane, and its history adds up to the days',
  async () => {
    // As a page does it: once more where a place is far, or others ask.
    const shown = async (path: string) => {
      for (;;) {
        const of = `/config/jackpot_instances/${instance}${path}`;
        const answer = await callGateway(system.baseUrl, 'GET', of, undefined, admin);
        if (answer.status !== 503) return answer;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const before = (await shown('/at')).json;
    const id = await contribute('round-then');
    await booked(id);
    const [{ sequence, timestamp }] = (await get(`/contributions?contribution_id=${id}`)).json;
    const then = (await shown(`/at?sequence=${sequence}`)).json;
    expect(then).toMatchObject({ sequence, timestamp, sum: 0 });
    expect(then.instance.total_contributions).toBeGreaterThan(before.instance.total_contributions);
    expect((await shown(`/at?sequence=${before.sequence}`)).json).toEqual(before);
    // The command has the draw keys, and the snapshots of the host.
    const words = ['replay', instance, '--message', String(sequence), '--lane', String(then.lane), '--json'];
    const replay = await potstream(words, { POTSTREAM_DATA: system.dataDirectory });
    const { at } = JSON.parse(replay.stdout);
    const [pot] = then.instance.pots;
    expect(at).toMatchObject({
      ...{ message: sequence, sequence: then.instance_sequence, head: then.head },
      ...{ status: then.instance.status, version: then.instance.version },
      timestamp: new Date(timestamp).toISOString(),
      total_contributions: then.instance.total_contributions,
      'house.current': String(then.accounts.house),
      [`pots.${pot.id}.current`]: String(pot.current_value),
    });
    expect((await shown(`/at?time=${timestamp}`)).json.sequence).toBeGreaterThanOrEqual(sequence);
    const { json } = await shown('/at?sequence=900719925474099');
    expect(json).toMatchObject({ code: 'invalid_parameter', message: expect.stringContaining('ends at') });
    const early = await shown('/at?time=1000');
    expect([early.status, early.json.code]).toEqual([404, 'instance_not_found']);

    const day = new Date(timestamp).toISOString().slice(0, 10);
    const path = `/config/reports/daily?from=${day}&to=${day}&instance_id=${instance}&group_by=instance`;
    const from = Date.parse(day);
    await eventually(async () => {
      const history = (await shown(`/history?from=${from}&to=${from + 86_400_000}&points=96`)).json;
      const [report] = (await callGateway(system.baseUrl, 'GET', path, undefined, admin)).json;
      const total = (values: readonly (string | number)[]) =>
        values.reduce<number>((sum, each) => sum + Number(each), 0);
      // Others contribute meanwhile.
      if (total(history.contributions) !== report.contributions) return false;
      expect(total(history.contributed)).toBeCloseTo(report.contributed, 6);
      expect(total(history.won)).toBeCloseTo(report.won, 6);
      const ends = Object.values(history.accounts as Record<string, string[]>).map((each) => each.at(-1));
      expect(total(ends as string[])).toBeCloseTo(0, 6);
      return true;
    }, 'the history is that of the day');
  },
  patienceMs,
);

test(
  "another operator's service finds nothing of it, and a hundred at once are answered or told to come again",
  async () => {
    await callGateway(system.baseUrl, 'POST', '/config/operators', [{ id: 'other', name: 'Other' }], admin);
    const stranger = await newReporter('stranger', 'other');
    const [first] = (await get('/contributions?limit=1')).json;
    const paths = [
      `/contributions/${first.contribution_id}`,
      `/contributions?instance_id=${instance}`,
      `/players/${player}?brand_id=demo:direct`,
    ];
    for (const path of paths) expect((await get(path, stranger)).status).toBe(404);
    expect((await get('/contributions', stranger)).json).toEqual([]);
    expect(Object.values((await get(`/search?q=${player}`, stranger)).json).flat()).toEqual([]);
    expect((await textOf('/exports/contributions', stranger)).trimEnd().split('\r\n')).toHaveLength(1);
    const path = `${system.baseUrl}/v1/reports/contributions?limit=500`;
    const headers = { authorization: `Bearer ${reporter}` };
    const flood = Array.from({ length: 100 }, async () => (await fetch(path, { headers })).status);
    // Another caller's question comes in between.
    expect((await get('/contributions', stranger)).status).toBe(200);
    expect([...new Set(await Promise.all(flood))].toSorted()).toEqual([200, 503]);
  },
  patienceMs,
);

test(
  'what a request changed is found by the id of its answer',
  async () => {
    const body = [{ id: 'found-again', name: 'Found again' }];
    const { headers } = await callGateway(system.baseUrl, 'POST', '/config/operators', body, admin);
    const id = headers.get('x-request-id');
    // biome-ignore lint/suspicious/noExplicitAny: whatever it says.
    let changes: any[] = [];
    await eventually(async () => {
      const path = `/config/search?q=${id}`;
      const { status, json } = await callGateway(system.baseUrl, 'GET', path, undefined, admin);
      if (status === 200) changes = json.changes;
      return changes.length === 2;
    }, 'intent and outcome are in the books');
    const change = { request_id: id, method: 'POST', path: '/config/operators' };
    expect(changes).toMatchObject([
      { ...change, kind: 'intent', outcome: null },
      { ...change, kind: 'outcome', outcome: 'applied' },
    ]);
  },
  patienceMs,
);

test(
  'while the role is away questions are refused and contributions are not',
  async () => {
    await system.kill('reporting');
    await contribute('round-without-books');
    await eventually(async () => {
      const { status, json } = await get('/contributions?gameround_id=round-without-books');
      return status === 200 && json.length === 1;
    }, 'the role answers again');
  },
  patienceMs,
);
