import { openPlayerTokens } from '../../../src/access/players/player-tokens.ts';
import { askWalletAddress } from '../../../src/gateway/api/services/questions.ts';
import { startWallet } from '../../../src/wallet/role/wallet.ts';
import { keys, memoryBus, startTestWallet, type TestWallet, testAddresses } from '../../wallet/support.ts';
import { furnish, startWorld, type World } from './administration.ts';

export interface WalletWorld extends World {
  readonly wallet: TestWallet;
  /** Makes a player of the wallet with a token `token-of-<player>`. */
  addPlayer(brand: string, player: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Gives a brand the reference wallet, or another address. */
  setWallet(brand: string, baseUrl?: string): Promise<void>;
}

const subjects = {
  authenticate: 'wallet.authenticate',
  revoked: 'wallet.revoked',
  address: 'wallet.address',
};
const clock = { nowMs: () => Date.now(), elapsedMs: () => Date.now(), after: () => () => {} };

/** The filled world with the wallet role in it and a reference wallet over HTTP; acme:main and rival:main have it. */
export async function startWalletWorld(addresses = testAddresses): Promise<WalletWorld> {
  const wallet = await startTestWallet();
  const bus = memoryBus();
  const world = await startWorld({
    walletAddress: askWalletAddress(bus, subjects.address),
    openPlayers: (access) => openPlayerTokens({ bus, clock, wallets: access.wallets, subjects }),
  });
  const bugs: unknown[] = [];
  const role = startWallet({
    bus,
    clock,
    wallets: world.access.wallets,
    subjects,
    addresses,
    alarm: (_code, _message, error) => void bugs.push(error),
    report: (error) => void bugs.push(error),
  });
  await furnish(world);
  const setWallet: WalletWorld['setWallet'] = async (brand, baseUrl = wallet.url) => {
    const [operator, id] = brand.split(':');
    const body = {
      base_url: baseUrl,
      bearer_key: keys.bearerKey,
      hmac_secret: keys.hmacSecret,
      provider_id: 'potstream',
    };
    const answer = await world.call('PUT', `/config/operators/${operator}/brands/${id}/wallet`, body);
    if (answer.status !== 200) throw new Error(answer.text);
  };
  await setWallet('acme:main');
  await setWallet('rival:main');
  return {
    ...world,
    wallet,
    setWallet,
    async addPlayer(brand, player, details = {}) {
      const entry = { brand_id: brand, player_id: player, currency: 'EUR', ...details };
      const token = { brand_id: brand, player_id: player, token: `token-of-${player}` };
      const made = await wallet.call('PUT', '/control/players', [entry]);
      const given = await wallet.call('POST', '/control/tokens', [token]);
      if (made.status !== 204 || given.status !== 204) throw new Error(JSON.stringify([made, given]));
    },
    async stop() {
      await world.stop();
      await role.stop();
      await wallet.stop();
      if (bugs.length > 0) throw new AggregateError(bugs, 'the wallet role met bugs');
    },
  };
}
