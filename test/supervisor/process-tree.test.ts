import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { ChildDefinition } from '../../src/supervisor/child.ts';
import type { HangPolicy } from '../../src/supervisor/hang-policy.ts';
import { createProcessTree, type ProcessTree } from '../../src/supervisor/process-tree.ts';
import { isStopped } from '../support/processes.ts';

const patienceMs = 60_000;
/** Real processes, small ones: what they do is told by a line of JavaScript. */
const working = `
  process.send({ type: 'listening', port: null, operationsPort: process.pid });
  process.send({ type: 'ready' });
  process.on('message', (message) => process.send({ type: 'seeded', message }));
  setInterval(() => {}, 1000);
`;

const directory = mkdtempSync(join(tmpdir(), 'potstream-tree-'));
const drained = join(directory, 'drained');
let tree: ProcessTree;
const events = {
  messages: [] as [string, string][],
  restarts: [] as [string, string, number][],
  escalations: [] as [string, string][],
  givenUp: [] as [string, string][],
  hangs: [] as [string, string][],
  returns: [] as [string][],
  processes: [] as { name: string; pid: number }[][],
};

function startTree(hangs: HangPolicy | null = null): void {
  for (const list of Object.values(events)) list.length = 0;
  tree = createProcessTree(
    {
      onMessage: (name, message) => events.messages.push([name, message.type]),
      onRestart: (...restart) => events.restarts.push(restart),
      onGivenUp: (...givenUp) => events.givenUp.push(givenUp),
      onEscalate: (...escalation) => events.escalations.push(escalation),
      onProcesses: (processes) => events.processes.push([...processes]),
      onHung: (name, _silentMs, action) => events.hangs.push([name, action]),
      onResponsive: (name) => events.returns.push([name]),
    },
    hangs,
  );
}

function child(name: string, script: string, drainTimeoutMs = patienceMs): ChildDefinition {
  return {
    name,
    drainTimeoutMs,
    start: () => spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  };
}

const manyStarts = { timeout: 2 * patienceMs, interval: 50 };

/** Limits are of starts, not of time: the waits between them are what the clock is turned forward by. */
async function withFastWaits(run: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const turns = setInterval(() => vi.advanceTimersByTime(500), 20);
  try {
    await run();
  } finally {
    clearInterval(turns);
    vi.useRealTimers();
  }
}

const pidOf = (name: string) => tree.status().find((status) => status.name === name)?.operationsPort ?? 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(async () => {
  await tree.stop();
  rmSync(drained, { force: true });
});

test('a child that is killed is started again, alone', async () => {
  startTree();
  expect(await tree.add(child('one', working))).toBe(true);
  expect(await tree.add(child('two', working))).toBe(true);
  const [one, two] = [pidOf('one'), pidOf('two')];
  process.kill(one, 'SIGKILL');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, restarts: 1 }), patienceMs);
  expect(pidOf('one')).not.toBe(one);
  expect(pidOf('two')).toBe(two);
  // The pause depends on how long it had worked.
  expect(events.restarts).toEqual([['one', 'SIGKILL', expect.any(Number)]]);
  expect(events.processes.at(-1)?.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(events.processes.at(-1)?.[0]?.pid).toBe(pidOf('one'));
});

test('a child that is to start again drains first', async () => {
  startTree();
  await tree.add(
    child(
      'one',
      `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(drained)}, 'one'); process.exit(0); });
      ${working}`,
    ),
  );
  const before = pidOf('one');
  await tree.restart('one');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, restarts: 1 }), patienceMs);
  expect(readFileSync(drained, 'utf8')).toBe('one');
  expect(pidOf('one')).not.toBe(before);
  expect(events.restarts).toEqual([['one', 'exit code 0', expect.any(Number)]]);
});

test('what the parent says reaches the child that runs now', async () => {
  startTree();
  await tree.add(child('one', working));
  tree.send('one', { type: 'release' });
  await vi.waitFor(() => expect(events.messages).toContainEqual(['one', 'seeded']), patienceMs);
});

test('a child that never comes up is given up after its limit', async () => {
  startTree();
  await withFastWaits(async () => {
    void tree.add(child('broken', 'process.exit(3)'));
    await vi.waitFor(() => expect(events.escalations).toHaveLength(1), manyStarts);
  });
  expect(events.escalations[0]).toEqual(['broken', 'did not come up in 10 starts (last: exit code 3)']);
  expect(events.restarts).toHaveLength(9);
});

test('a dispensable child that has worked and fails for good takes nobody with it', async () => {
  startTree();
  const once = join(directory, 'once');
  const script = `if (require('fs').existsSync('${once}')) process.exit(3);
    require('fs').writeFileSync('${once}', ''); ${working}`;
  expect(await tree.add(child('needed', working))).toBe(true);
  expect(await tree.add({ ...child('demo', script), dispensable: () => true })).toBe(true);
  process.kill(pidOf('demo'), 'SIGKILL');
  await withFastWaits(() => vi.waitFor(() => expect(events.givenUp).toHaveLength(1), manyStarts));
  expect(events.givenUp).toEqual([['demo', 'did not come up in 10 starts (last: exit code 3)']]);
  expect(events.escalations).toEqual([]);
  expect(tree.status()).toMatchObject([
    { name: 'needed', ready: true, givenUp: false },
    { name: 'demo', ready: false, silent: false, givenUp: true },
  ]);
  expect(events.processes.at(-1)?.map(({ name }) => name)).toEqual(['needed']);
});

test('a dispensable child that never worked is missed like any other', async () => {
  startTree();
  await withFastWaits(async () => {
    void tree.add({ ...child('demo', 'process.exit(3)'), dispensable: () => true });
    await vi.waitFor(() => expect(events.escalations).toHaveLength(1), manyStarts);
  });
  expect(events.givenUp).toEqual([]);
});

test('stopping drains the last child first, and kills who does not drain', async () => {
  startTree();
  const draining = (name: string) => `
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => { appendFileSync(${JSON.stringify(drained)}, '${name}\\n'); process.exit(0); });
    ${working}
  `;
  await tree.add(child('first', draining('first')));
  await tree.add(child('stubborn', `process.on('SIGTERM', () => {}); ${working}`, 200));
  await tree.add(child('last', draining('last')));
  await tree.stop();
  expect(readFileSync(drained, 'utf8')).toBe('last\nfirst\n');
  expect(events.restarts).toEqual([]);
  expect(tree.status().every((status) => !status.ready)).toBe(true);
});

test('children that all do not drain have one limit together', async () => {
  startTree();
  const stubborn = `process.on('SIGTERM', () => {}); ${working}`;
  for (const name of ['first', 'second']) await tree.add(child(name, stubborn, 10 * patienceMs));
  await tree.stop(200);
  expect(tree.status().every((status) => !status.ready)).toBe(true);
});

test('children of a group drain at the same time', async () => {
  startTree();
  // Each ends once the other has been asked too.
  const draining = (name: string) => `
    const { appendFileSync, readFileSync } = require('node:fs');
    process.on('SIGTERM', () => {
      appendFileSync(${JSON.stringify(drained)}, '${name}');
      setInterval(() => readFileSync(${JSON.stringify(drained)}).length === 2 && process.exit(0), 10);
    });
    ${working}
  `;
  for (const name of ['1', '2']) await tree.add({ ...child(name, draining(name)), group: 'gateways' });
  await tree.stop();
  expect(readFileSync(drained, 'utf8')).toHaveLength(2);
});

test('a child that hands over is told so, and starts again', async () => {
  startTree();
  const script = `
    process.on('SIGTERM', () => process.exit(3));
    process.on('message', ({ type }) => process.exit(type === 'hand_over' ? 0 : 4));
    ${working}
  `;
  await tree.add(child('one', script));
  await tree.restart('one', 'hand_over');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, restarts: 1 }), patienceMs);
  expect(events.restarts).toEqual([['one', 'exit code 0', expect.any(Number)]]);
});

test('a child that was given up starts again when it is asked for', async () => {
  startTree();
  const broken = join(directory, 'broken');
  const script = `if (require('fs').existsSync('${broken}')) process.exit(3); ${working}`;
  await tree.add({ ...child('one', script), dispensable: () => true });
  writeFileSync(broken, '');
  process.kill(pidOf('one'), 'SIGKILL');
  await withFastWaits(() => vi.waitFor(() => expect(events.givenUp).toHaveLength(1), manyStarts));
  rmSync(broken);
  await tree.restart('one');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, givenUp: false }), patienceMs);
});

test('a tree that was stopped starts nothing any more', async () => {
  startTree();
  await tree.stop();
  expect(await tree.add(child('late', working))).toBe(false);
  expect(tree.status()).toEqual([]);
});

test('a program that is not there is a failure like others', async () => {
  startTree();
  void tree.add({
    name: 'missing',
    drainTimeoutMs: 100,
    start: () => spawn(join(directory, 'no-such-program')),
  });
  await vi.waitFor(() => expect(events.restarts[0]?.[1]).toContain('ENOENT'), patienceMs);
});

const beating = `setInterval(() => process.send({ type: 'alive' }), 100); ${working}`;
const hangs = { afterMs: 3000, action: 'replace' } as const;

test('a stopped child is not ready, and is replaced although it does not hear SIGTERM', async () => {
  startTree(hangs);
  await tree.add(child('one', beating, 200));
  await tree.add(child('two', beating, 200));
  const [one, two] = [pidOf('one'), pidOf('two')];
  process.kill(one, 'SIGSTOP');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: false, silent: true }), patienceMs);
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, restarts: 1 }), patienceMs);
  expect(events.hangs).toEqual([['one', 'replace']]);
  expect(events.restarts).toEqual([['one', 'SIGKILL', expect.any(Number)]]);
  expect(tree.status()[0]).toMatchObject({ hangs: 1, silent: false });
  expect(pidOf('one')).not.toBe(one);
  expect(pidOf('two')).toBe(two);
});

test('a child that gives way may be silent for longer', async () => {
  startTree({ ...hangs, afterMs: 1000 });
  await tree.add({ ...child('waits', beating, 200), givesWay: true });
  await tree.add(child('hangs', beating, 200));
  for (const name of ['waits', 'hangs']) process.kill(pidOf(name), 'SIGSTOP');
  await vi.waitFor(() => expect(events.hangs).toEqual([['hangs', 'replace']]), patienceMs);
  await vi.waitFor(() => expect(events.hangs).toContainEqual(['waits', 'replace']), patienceMs);
});

test('a child whose event loop never turns again is replaced', async () => {
  startTree(hangs);
  await tree.add(child('loop', `setTimeout(() => { for (;;) ; }, 1000); ${beating}`, 200));
  const before = pidOf('loop');
  await vi.waitFor(() => expect(events.hangs).toEqual([['loop', 'replace']]), patienceMs);
  await vi.waitFor(() => expect(tree.status()[0]?.restarts).toBe(1), patienceMs);
  await vi.waitFor(() => expect(pidOf('loop')).not.toBe(before), patienceMs);
});

test('a child that is only to be reported keeps its process and comes back', async () => {
  startTree({ ...hangs, action: 'report' });
  await tree.add(child('one', beating));
  const before = pidOf('one');
  process.kill(before, 'SIGSTOP');
  await vi.waitFor(() => expect(events.hangs).toEqual([['one', 'report']]), patienceMs);
  expect(tree.status()[0]).toMatchObject({ ready: false, silent: true });
  process.kill(before, 'SIGCONT');
  await vi.waitFor(() => expect(events.returns).toEqual([['one']]), patienceMs);
  expect(tree.status()[0]).toMatchObject({ ready: true, silent: false, restarts: 0, hangs: 1 });
  expect(pidOf('one')).toBe(before);
});

test('a child that comes back before the limit was never gone', async () => {
  startTree({ ...hangs, afterMs: 20_000 });
  await tree.add(child('one', beating));
  const before = pidOf('one');
  process.kill(before, 'SIGSTOP');
  await vi.waitFor(async () => expect(await isStopped(before)).toBe(true), patienceMs);
  await vi.waitFor(() => expect(tree.status()[0]?.silent).toBe(true), patienceMs);
  process.kill(before, 'SIGCONT');
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, silentMs: 0 }), patienceMs);
  expect(events.hangs).toEqual([]);
  expect(pidOf('one')).toBe(before);
});

test('a child that does not speak is asked, once it works', async () => {
  startTree(hangs);
  let alive = true;
  let asked = 0;
  const silent = child('server', 'setInterval(() => {}, 1000);', 200);
  const isAlive = async () => {
    asked += 1;
    return alive;
  };
  await tree.add({ ...silent, probe: async () => true, isAlive });
  await vi.waitFor(() => expect(asked).toBeGreaterThan(hangs.afterMs / 500), patienceMs);
  expect(events.hangs).toEqual([]);
  alive = false;
  await vi.waitFor(() => expect(events.hangs).toEqual([['server', 'replace']]), patienceMs);
  alive = true;
  await vi.waitFor(() => expect(tree.status()[0]).toMatchObject({ ready: true, restarts: 1 }), patienceMs);
});
