import { randomBytes } from 'node:crypto';
import { encodeDirectoryValue } from '../../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../../src/contracts/directory/directory-keys.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { CreditRecord, DebitRecord } from '../../../src/messages/settlements.ts';
import { startWallet, type WalletRole } from '../../../src/wallet/role/wallet.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';
import { ActorWorld, hex, lane, salt } from '../../actors/actor-world.ts';
import { brand, contribution } from '../../jackpot/support/commands.ts';
import { ends } from '../../support/ends.ts';
import { settings, testAddresses } from '../support.ts';
import { MoneyWallet } from './money-wallet.ts';

const subjects = {
  authenticate: 'wallet.authenticate',
  revoked: 'wallet.revoked',
  address: 'wallet.address',
};

/** A nats-server, an actor host, a wallet over HTTP, and wallet roles between them. */
export class ExecutionWorld {
  readonly actors: ActorWorld;
  readonly wallet: MoneyWallet;
  /** Wallets of other brands. */
  readonly wallets = new Map<string, string>();
  readonly alarms: string[] = [];
  readonly bugs: unknown[] = [];
  readonly #roles = new Set<WalletRole>();

  private constructor(actors: ActorWorld, wallet: MoneyWallet) {
    this.actors = actors;
    this.wallet = wallet;
    this.wallets.set(brand, wallet.url);
  }

  static async open(): Promise<ExecutionWorld> {
    const wallet = await new MoneyWallet().start();
    const actors = await ActorWorld.open();
    const world = new ExecutionWorld(actors, wallet);
    await world.putWallet(brand);
    return world;
  }

  async close(): Promise<void> {
    for (const role of this.#roles) await ends('a wallet role', role.stop());
    await this.actors.close();
    await ends('the wallet', this.wallet.stop());
    if (this.bugs.length > 0) throw new AggregateError(this.bugs, 'the wallet role met bugs');
  }

  /** Says in the directory that the brand has a wallet. */
  async putWallet(path: string, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const table = await this.actors.log.table('DIRECTORY');
    const key = directoryKey.brand(path);
    const value = encodeDirectoryValue('brand', {
      ...{ name: 'Main', enabled: true, created_timestamp: 0, wallet: true, provider: 'potstream' },
      salt: Buffer.from(salt).toString('base64url'),
      ...changes,
    });
    await table.put(key, value, (await table.get(key))?.revision ?? 0);
  }

  /** A wallet role of its own, on the world's connections. */
  async startRole(holder = 'one'): Promise<WalletRole> {
    const { log, bus } = this.actors;
    const role = startWallet({
      bus,
      clock: systemClock,
      wallets: {
        find: (path) => {
          const url = this.wallets.get(path);
          return url === undefined ? undefined : this.#settingsOf(path, url);
        },
      },
      subjects,
      addresses: testAddresses,
      execution: { log, random: systemRandom, leases: await log.table('LEASES'), lanes: 1, holder },
      alarm: (code, message) => void this.alarms.push(`${code}: ${message}`),
      report: (error) => void this.bugs.push(error),
    });
    this.#roles.add(role);
    return role;
  }

  readonly #settings = new Map<string, ReturnType<typeof settings>>();
  #settingsOf(path: string, url: string) {
    const known = this.#settings.get(path);
    if (known?.baseUrl === url) return known;
    const made = settings(url, { brand: path });
    this.#settings.set(path, made);
    return made;
  }

  async stopRole(role: WalletRole): Promise<void> {
    this.#roles.delete(role);
    await role.stop();
  }

  async stopRoles(): Promise<void> {
    for (const role of this.#roles) await this.stopRole(role);
  }

  /** What the role holds of this kind of work, as its metrics say. */
  async metric(role: WalletRole, work: 'debit' | 'cancel' | 'credit'): Promise<number> {
    const line = new RegExp(`^potstream_wallet_open\\{work="${work}"\\} (\\d+)$`, 'm');
    return Number(line.exec(await role.metrics())?.[1]);
  }

  /** A contribution that the player pays, and what the lane said at once. */
  async contribute(
    changes: Partial<Contribute> = {},
  ): Promise<{ batchId: Uint8Array; outcome: CommandOutcome }> {
    const sent = await this.actors.send([
      contribution({ wallet: true, contributionId: randomBytes(16), ...changes }),
    ]);
    const reply = await this.actors.reply(sent);
    return { batchId: sent.batchId, outcome: reply.outcomes[0]! };
  }

  /** The answer that came after the debit. */
  async late({ batchId }: { readonly batchId: Uint8Array }) {
    const { actors } = this;
    const arrived = () => (actors.replies.get(hex(batchId))?.late.length ?? 0) > 0;
    await actors.until(arrived, 'the answer comes');
    return actors.replies.get(hex(batchId))!.late[0]!.outcome;
  }

  async openDebits(): Promise<readonly DebitRecord[]> {
    const last = await this.actors.log.lastCommand(lane);
    const open = await this.actors.query({ kind: 'open_debits', after: 0, limit: 500 }, last);
    return open.kind === 'open_debits' ? open.debits : [];
  }

  async openCredits(): Promise<readonly CreditRecord[]> {
    const last = await this.actors.log.lastCommand(lane);
    const query = { kind: 'open_credits', after: 0, limit: 500, states: [], batch: '' } as const;
    const open = await this.actors.query(query, last);
    return open.kind === 'open_credits' ? open.credits : [];
  }

  until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
    return this.actors.until(done, what);
  }
}
