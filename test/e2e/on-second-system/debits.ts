import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { debitId } from '../../../src/messages/transaction-ids.ts';
import { oneSystem } from '../../support/one-system.ts';
import { type ContributionAnswer, firstStatus } from '../../support/operator-client.ts';
import { PayingOperator, payingBrand, payingOwner } from '../../support/paying-operator.ts';
import type { RunningSystem } from '../../support/system.ts';
import { type BadWallet, startBadWallet } from '../../wallet/support.ts';

const deadBrand = `${payingOwner}:dead`;
const pausedMs = 5_000;
const betweenMs = 1_500;
/** Each sender soon has a debit under way when somebody dies or pauses, and the processor is for all. */
const senderPauseMs = 80;
/** Their refusals come at once, and would take the processor from all others. */
const hopelessPauseMs = 150;

/**
 * Two wallet processes as on two hosts, killed and paused under traffic, and beside them a brand whose wallet answers
 * who a player is and then nothing more.
 */
describe('debits and credits of running processes', () => {
  let system: RunningSystem;
  let operator: PayingOperator;
  let dead: BadWallet;
  let second: SecondHost;

  beforeAll(async () => {
    system = await oneSystem();
    dead = await startBadWallet((request, response) => {
      if (request.url !== '/authenticate') return;
      const { player_token } = JSON.parse(dead.received.at(-1)!) as { player_token: string };
      const identity = {
        id: player_token.slice(6),
        operator_id: payingOwner,
        brand_id: deadBrand,
        currency: 'EUR',
        balance: 1,
      };
      response.end(JSON.stringify(identity));
    });
    operator = await PayingOperator.open(system, ['dead']);
    await operator.setWallet(deadBrand, dead.url);
    second = await SecondHost.open(system);
    await second.start();
  }, 240_000);

  afterAll(async () => {
    await second?.stop();
    await dead?.stop();
  });

  it('lose nothing and pay nothing twice, whoever dies or pauses', async () => {
    const answers: (ContributionAnswer & { readonly tries: number })[] = [];
    const refused: ContributionAnswer[] = [];
    let running = true;
    const senders = Array.from({ length: 6 }, async (_, player) => {
      for (let n = 0; running; n += 1) {
        const body = operator.contribution(player, `debit-${player}-${n}`);
        answers.push(await operator.client.contributeSurely(operator.instance, body));
        await pause(senderPauseMs);
      }
    });
    const hopeless = Array.from({ length: 3 }, async (_, player) => {
      for (let n = 0; running; n += 1) {
        const body = operator.contribution(player, `dead-${player}-${n}`, deadBrand);
        const answer = await operator.client.contribute(operator.instance, body).catch(() => null);
        if (answer !== null) refused.push(answer);
        await pause(hopelessPauseMs);
      }
    });
    await pause(betweenMs);
    await system.kill('wallet');
    await pause(betweenMs);
    await pausedFor((await system.processes()).get('wallet')!);
    await second.kill();
    await second.start();
    await pause(betweenMs);
    await pausedFor(second.pid);
    await system.kill('actors');
    await pause(betweenMs);
    await system.kill('reference-wallet');
    await pause(betweenMs);
    await second.kill();
    await system.ready();
    await pause(betweenMs);
    await vi.waitUntil(() => answers.length > 100, { timeout: 120_000, interval: 100 });
    running = false;
    await Promise.all([...senders, ...hopeless]);

    expect(new Set(answers.map(firstStatus))).toEqual(new Set([200]));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ status }) => status === 200)).toEqual([]);
    await expect.poll(openCreditsAndDebits, { timeout: 120_000, interval: 1_000 }).toBe(0);
    await expectSettled(answers);
  }, 400_000);

  it('leave the brand of the dead wallet its lookups', async () => {
    const url = `${system.baseUrl}/v1/jackpot/instances/source/table/brand/${deadBrand}`;
    const answer = await fetch(url, { headers: { 'x-player-token': 'token-p1' } });
    expect([answer.status, ((await answer.json()) as { id: string }).id]).toEqual([200, operator.instance]);
  });

  it('go through a model switch: nothing is refused because of it, and nothing is lost', async () => {
    const source = operator.instance;
    const target = await createTarget();
    const before = await operator.statements();
    const answers: ContributionAnswer[] = [];
    let running = true;
    const senders = Array.from({ length: 6 }, async (_, player) => {
      for (let n = 0; running; n += 1) {
        const body = operator.contribution(player, `switch-${player}-${n}`);
        answers.push(await operator.client.contributeBySource('table', body));
        await pause(senderPauseMs);
      }
    });
    await vi.waitUntil(() => answers.length > 20, { timeout: 60_000, interval: 100 });
    const { status } = await operator.administrator.call('POST', '/config/model-switch/execute', {
      source_instance_id: source,
      target_instance_id: target,
      user_id: operator.administrator.subject(),
      pot_rules: [{ source_pot: 'main', target_pot: { main: '1' } }],
      transfer_optins: true,
      reason: 'a better model',
    });
    expect([202, 204]).toContain(status);
    const reached = (instance: string) =>
      answers.filter(({ headers }) => headers['x-instance-id'] === instance).length;
    await vi.waitUntil(() => reached(target) > 40, { timeout: 60_000, interval: 100 });
    running = false;
    await Promise.all(senders);

    expect(answers.filter((each) => each.status !== 200)).toEqual([]);
    expect(reached(source) + reached(target)).toBe(answers.length);
    expect(await shown(source)).toMatchObject({ status: 'Switched', switched_to: target });
    expect(await shown(target)).toMatchObject({ status: 'Active' });
    await expect
      .poll(
        async () => {
          const sides = await Promise.all([source, target].map((each) => operator.conservation(each)));
          expect(sides.map(({ sum }) => Number(sum))).toEqual([0, 0]);
          const total = (name: string) =>
            sides.reduce((sum, { accounts }) => sum + Number(accounts[name]), 0);
          const done = (await operator.statements()).filter(({ state }) => state === 'done');
          const paid =
            done.length - done.filter(({ transaction_type }) => transaction_type === 'Credit').length;
          return [total('transfer'), total('win_liability'), total('player') + paid - sumOf(done, 'Credit')];
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toEqual([0, 0, 0]);
    const debits = (await operator.statements()).slice(before.length);
    expect(debits.filter(({ transaction_type }) => transaction_type === 'Debit')).toHaveLength(
      answers.length,
    );
  }, 400_000);

  async function createTarget(): Promise<string> {
    const created = await operator.administrator.call('POST', '/config/instances', {
      template_owner_id: payingOwner,
      template_id: 'payers',
      owner_id: payingOwner,
      name: 'The next one',
    });
    const { id } = created.body as { id: string };
    // More opt-ins than one step copies.
    const opt_ins = Array.from({ length: 1_500 }, (_, n) => ({ player_id: `reader-${n}`, currency: 'EUR' }));
    const rows = [{ instance_id: operator.instance, brand_id: payingBrand, opt_ins, opt_outs: [] }];
    const uploaded = await operator.administrator.call('POST', '/config/opt-ins/bulk', rows);
    expect(uploaded).toEqual({ status: 200, body: { errors: {} } });
    return id;
  }

  const shown = async (instance: string) =>
    (await operator.administrator.call('GET', `/config/instances/${instance}`)).body;

  /** Of the good brand: the dead one's debits wait for their cancellation. */
  async function openCreditsAndDebits(): Promise<number> {
    const { accounts } = await operator.conservation();
    const done = (await operator.statements()).filter(({ state }) => state === 'done');
    const owed = Number(accounts.win_liability ?? 0);
    const debits = done.filter(({ transaction_type }) => transaction_type === 'Debit').length;
    return owed === 0 && debits === -Number(accounts.player ?? 0) + sumOf(done, 'Credit') ? 0 : 1;
  }

  async function expectSettled(answers: readonly ContributionAnswer[]): Promise<void> {
    const statements = (await operator.statements()).filter(({ brand_id }) => brand_id === payingBrand);
    const done = statements.filter(({ state }) => state === 'done');
    const debits = done.filter(({ transaction_type }) => transaction_type === 'Debit');
    const paid = new Set(answers.map(({ headers }) => debitId(headers['x-contribution-id']!)));
    expect(new Set(debits.map(({ transaction_id }) => transaction_id))).toEqual(paid);
    expect(debits.length).toBe(answers.length);
    const won = answers.filter(({ headers }) => Number(headers['x-win-amount'] || 0) > 0);
    expect(won.length).toBeGreaterThan(0);
    const credits = done.filter(({ transaction_type }) => transaction_type === 'Credit');
    expect(credits.length).toBe(won.length);
    const winSum = won.reduce((sum, { headers }) => sum + Number(headers['x-win-amount']), 0);
    expect(sumOf(done, 'Credit')).toBe(winSum);
    expect(await operator.conservation()).toMatchObject({ sum: 0 });
    expect(await operator.wallet('GET', '/control/ledger')).toMatchObject({ applied_more_than_once: [] });
  }
});

function sumOf(statements: readonly { amount: number; transaction_type: string }[], type: string): number {
  return statements
    .filter(({ transaction_type }) => transaction_type === type)
    .reduce((sum, { amount }) => sum + amount, 0);
}

async function pausedFor(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await pause(pausedMs);
  process.kill(pid, 'SIGCONT');
  await pause(betweenMs);
}

/** A wallet process with data of its own beside the one of the system, as another host would run it. */
class SecondHost {
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.#directory = directory;
    this.#environment = environment;
  }

  static async open(system: RunningSystem): Promise<SecondHost> {
    const directory = await mkdtemp(join(tmpdir(), 'potstream-second-'));
    await cp(join(system.dataDirectory, 'keys/accounts.key'), join(directory, 'keys/accounts.key'));
    const pid = (await system.processes()).get('wallet');
    const told = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((line) => line !== '');
    const environment = Object.fromEntries(
      told.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const { NODE_CHANNEL_FD: _, NODE_CHANNEL_SERIALIZATION_MODE: __, ...rest } = environment;
    return new SecondHost(directory, {
      ...rest,
      POTSTREAM_DATA: directory,
      POTSTREAM_LOG_LEVEL: 'info',
      POTSTREAM_OPERATIONS_PORT: '0',
      POTSTREAM_OPS_PORT: '0',
    });
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, ['bin/potstream', 'wallet'], {
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  async kill(): Promise<void> {
    const exited = once(this.#child!, 'exit');
    this.#child!.kill('SIGKILL');
    await exited;
    this.#child = null;
  }

  async stop(): Promise<void> {
    if (this.#child !== null) await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
