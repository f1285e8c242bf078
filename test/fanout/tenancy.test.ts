import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FeedWorld, optedIn, share, type TestSocket, until, won } from './feed-world.ts';
import { type Refusal, upgrade } from './upgrade.ts';

/** Each credential of the feeds O4, O21 and O22, and what is its own, a sibling brand's, another operator's or nobody's. */
let feed: FeedWorld;
beforeAll(async () => {
  feed = new FeedWorld();
  for (const brand of ['demo:main', 'demo:second', 'rival:main']) feed.addBrand(brand);
  feed.setRates('', { EUR: '1' });
  for (const [id, { owner, brands }] of Object.entries(instances)) {
    const rules = brands === null ? {} : { contribution_rules: { allowed_brands: brands } };
    const configuration = { currency: 'EUR', jackpot_type: 'Jackpot', pots: [], ...rules };
    feed.addInstance(id, { owner, configuration });
  }
  await feed.start();
});
afterAll(() => feed.stop());

const instances: Readonly<Record<string, { owner: string; brands: readonly string[] | null }>> = {
  main: { owner: 'demo:main', brands: ['demo:main'] },
  operator: { owner: 'demo', brands: null },
  second: { owner: 'demo:second', brands: ['demo:second'] },
  network: { owner: 'rival', brands: ['rival:main', 'demo:second'] },
  foreign: { owner: 'rival:main', brands: null },
};
const targets = [...Object.keys(instances), 'missing'];

interface Caller {
  readonly operator: string;
  /** Of a service: its brands. */
  readonly brands?: readonly string[] | null;
  /** Of a player: the brand. */
  readonly brand?: string;
  readonly sees: readonly string[];
  /** The brands whose players a service sees by name. */
  readonly names?: readonly string[];
}
const callers: Readonly<Record<string, Caller>> = {
  'a service of the operator': {
    operator: 'demo',
    brands: null,
    sees: ['main', 'operator', 'second', 'network'],
    names: ['demo:main', 'demo:second'],
  },
  'a service of one brand': {
    operator: 'demo',
    brands: ['demo:main'],
    sees: ['main', 'operator'],
    names: ['demo:main'],
  },
  'a service of the sibling brand': {
    operator: 'demo',
    brands: ['demo:second'],
    sees: ['operator', 'second', 'network'],
    names: ['demo:second'],
  },
  'a service of another operator': {
    operator: 'rival',
    brands: null,
    sees: ['network', 'foreign'],
    names: ['rival:main'],
  },
  'a player of the brand': { operator: 'demo', brand: 'demo:main', sees: ['main', 'operator'] },
  'a player of the sibling brand': {
    operator: 'demo',
    brand: 'demo:second',
    sees: ['operator', 'second', 'network'],
  },
  'a player of another operator': { operator: 'rival', brand: 'rival:main', sees: ['network', 'foreign'] },
};

let players = 0;
let counter = 0;
const winners = ['demo:main', 'demo:second', 'rival:main'];

/** O22 of a service, O21 of a player that nobody else is. */
function connect({ operator, brands, brand }: Caller): Promise<TestSocket> {
  players += 1;
  if (brand !== undefined) return feed.connectPlayer(`guest-${players}`, 'EUR', brand);
  return feed.token(operator, brands).then((token) => feed.connect(token));
}

/** Stores the events and waits until the last has reached the socket. */
async function stored(socket: TestSocket, events: Parameters<FeedWorld['store']>[0]): Promise<void> {
  const heard = socket.of('WinEvent').length;
  feed.store(events);
  const last = events.at(-1)!;
  const isLast = (frame: TestSocket['frames'][number]) =>
    last.kind === 'Won' && frame.instance_id === last.instance && frame.seq === last.counter;
  await until(() => socket.of('WinEvent').slice(heard).some(isLast));
}

describe.each(Object.entries(callers))('%s', (_name, caller) => {
  const { sees, brand, names = [] } = caller;
  const marker = sees[0]!;

  it.each(targets)(
    'who names %s gets what is visible, and of the rest as little as of what is missing',
    async (target) => {
      const socket = await connect(caller);
      socket.subscribe({ instance_ids: [target, marker] });
      await feed.settled();
      counter += 1;
      const known = target === 'missing' ? [] : [won(target, counter)];
      await stored(socket, [...known, won(marker, counter + 1)]);
      counter += 1;
      const expected = new Set(sees.includes(target) ? [target, marker] : [marker]);
      for (const type of ['JackpotUpdate', 'WinEvent'])
        expect(new Set(socket.of(type).map((frame) => frame.instance_id)), type).toEqual(expected);
      expect(socket.closeCode).toBeNull();
      socket.terminate();
    },
  );

  it('who names nothing gets what is visible', async () => {
    const socket = await connect(caller);
    socket.subscribe();
    await feed.settled();
    counter += 2;
    const all = Object.keys(instances).map((id) => won(id, counter));
    await stored(socket, [...all, won(marker, counter + 1)]);
    counter += 1;
    expect(new Set(socket.frames.map((frame) => frame.instance_id))).toEqual(new Set(sees));
    socket.terminate();
  });

  it('gets the status of what is visible', async () => {
    const socket = await feed.open('/v1/jackpot/status');
    if (brand === undefined) {
      socket.say({ AuthenticateRequest: { token: await feed.token(caller.operator, caller.brands) } });
    } else {
      feed.wallet.set(`status-${brand}`, `guest@${brand}`);
      const [operator_id, brand_id] = brand.split(':');
      socket.say({
        AuthenticateRequest: { token: `status-${brand}`, operator_id, brand_id, currency: 'EUR' },
      });
    }
    await until(() => socket.frames.length > 0);
    const ids = socket.frames.flatMap((frame) => frame.jackpots.map(({ id }: { id: string }) => id));
    expect(new Set(ids)).toEqual(new Set(sees));
    socket.terminate();
  });

  it("sees only its own players' names and private events", async () => {
    const socket = await connect(caller);
    socket.subscribe();
    await feed.settled();
    counter += 1;
    const wins = winners.map((of, index) =>
      won(marker, counter + index, { winner: share(of, `somebody-of-${of}`, 1_00000000n), community: [] }),
    );
    const privately = winners.map((of) => optedIn(marker, of, `somebody-of-${of}`));
    counter += winners.length;
    await stored(socket, [...wins, ...privately, won(marker, counter, { community: [] })]);
    const shown = socket.of('WinEvent').slice(0, winners.length);
    expect(shown.map((frame) => frame.player_id)).toEqual(
      winners.map((of) => (names.includes(of) ? `somebody-of-${of}` : 'so***')),
    );
    const told = socket.of('OptInEvent').map((frame) => frame.brand_id);
    expect(told).toEqual(winners.filter((of) => names.includes(of)));
    socket.terminate();
  });
});

/** Everything that a caller sees of a refusal, but for what is new in each. */
function seen({ status, headers, body }: Refusal): unknown {
  const { 'x-request-id': _id, date: _date, ...others } = headers;
  return { status, headers: others, body };
}

describe('a credential of somebody else', () => {
  const mine = 'token-of-player@demo:main';

  it("opens no other brand's O21, and a foreign brand is refused as a missing one", async () => {
    feed.wallet.set(mine, 'player@demo:main');
    const [missing, ...others] = await Promise.all(
      ['demo/nowhere', 'demo/second', 'rival/main', 'rival/nowhere', 'nobody/main'].map((path) =>
        upgrade(feed, `/events/${path}?token=${mine}&currency=EUR`).then(seen),
      ),
    );
    expect(missing).toMatchObject({ status: 401, body: { code: 'feed_token_invalid' } });
    for (const refused of others) expect(refused).toEqual(missing);
  });

  it('of another kind opens neither O21 nor O22, as nonsense does not', async () => {
    feed.wallet.set(mine, 'player@demo:main');
    const account = { username: 'other', password: 'a long enough password', operator: 'demo', brands: null };
    const service = (await feed.access.createServiceUser(account))!;
    const administrator = (await feed.access.createAdministrator({
      username: 'administrator',
      password: 'a long enough password',
      roles: ['security'],
      owners: ['*'],
    }))!;
    const { tokens } = feed.access;
    const ofAdministrator = await tokens.issueAdministrator(administrator);
    for (const [path, others] of [
      ['/events/service?', [ofAdministrator, mine]],
      [
        '/events/demo/main?currency=EUR&',
        [ofAdministrator, await tokens.issueService(service), await feed.token()],
      ],
    ] as const) {
      const nonsense = await upgrade(feed, `${path}token=nonsense`);
      expect([nonsense.status, nonsense.body.code]).toEqual([401, 'feed_token_invalid']);
      for (const token of others)
        expect(seen(await upgrade(feed, `${path}token=${encodeURIComponent(token)}`))).toEqual(
          seen(nonsense),
        );
    }
  });

  it('gets nothing of O4 and is closed with 4401, as nonsense is', async () => {
    feed.wallet.set(mine, 'player@demo:main');
    const as = (operator_id: string, brand_id: string) => ({ operator_id, brand_id, currency: 'EUR' });
    for (const request of [
      { token: 'nonsense' },
      { token: mine },
      { token: mine, ...as('demo', 'second') },
      { token: mine, ...as('rival', 'main') },
      { token: mine, ...as('rival', 'nowhere') },
      { token: mine, ...as('nobody', 'main') },
      { token: await feed.token(), ...as('demo', 'main') },
    ]) {
      const socket = await feed.open('/v1/jackpot/status');
      socket.say({ AuthenticateRequest: request });
      await until(() => socket.closeCode !== null);
      expect([socket.closeCode, socket.frames], JSON.stringify(request)).toEqual([4401, []]);
    }
  });

  it("renews no socket: neither another operator's service, nor another player, nor the sibling brand's", async () => {
    const tokens = [
      [await feed.connect(await feed.token('demo', ['demo:main'])), await feed.token('rival')],
      [await feed.connect(await feed.token('demo')), 'nonsense'],
      [await feed.connectPlayer('holder'), playerToken('other', 'demo:main')],
      [await feed.connectPlayer('holder'), playerToken('holder', 'demo:second')],
      [await feed.connectPlayer('holder'), playerToken('holder', 'rival:main')],
    ] as const;
    for (const [socket, token] of tokens) {
      socket.say({ RefreshTokenRequest: { token } });
      await until(() => socket.closeCode !== null);
      expect([socket.closeCode, socket.frames]).toEqual([4401, []]);
    }
  });

  it('of the same operator, but another brand, leaves a service nothing of what it saw before', async () => {
    const socket = await feed.connect(await feed.token('demo', ['demo:main']));
    await feed.renew(socket, await feed.token('demo', ['demo:second']));
    socket.subscribe();
    await feed.settled();
    counter += 1;
    await stored(socket, [won('main', counter), won('second', counter)]);
    expect(new Set(socket.frames.map((frame) => frame.instance_id))).toEqual(
      new Set(['operator', 'second', 'network']),
    );
  });
});

function playerToken(player: string, brand: string): string {
  const token = `of-${player}-${brand}`;
  feed.wallet.set(token, `${player}@${brand}`);
  return token;
}
