import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { AddressCheck } from '../../src/outbound/checked-addresses.ts';
import type { DeliveryContent } from '../../src/outbox/delivery/delivery.ts';
import { Sender } from '../../src/outbox/send/sender.ts';
import { BrandClient } from '../../src/wallet/client/brand-client.ts';
import { systemClock } from '../../src/wiring.ts';

/**
 * Callbacks, flushes and wallets never connect to an address that is not public, in any spelling. Addresses are given as the
 * outbox and the wallet role find them when they call: what was refused at its registration is tested in test/network.
 */
let port: number;
let accepted = 0;
const server = net.createServer((socket) => {
  accepted += 1;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '::', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((done) => server.close(done)));

const connects = [vi.spyOn(net, 'connect'), vi.spyOn(tls, 'connect')];
afterEach(() => {
  for (const each of connects) each.mockClear();
  accepted = 0;
});

/** What the names of this test lead to, one answer after the other, the last one for ever. */
function check(development: boolean, ...answers: (readonly string[])[]): AddressCheck {
  let asked = 0;
  return {
    development,
    async resolve() {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? [];
    },
  };
}

const contents: Readonly<Record<string, DeliveryContent>> = {
  callback: {
    kind: 'ContributionResult',
    gameround: 'round',
    currency: 'EUR',
    metadata: null,
    result: { kind: 'Refused', code: 'instance_not_found', message: '' },
  },
  flush: {
    kind: 'DiversionFlush',
    flush: {
      flushId: 'flush',
      instance: 'jackpot',
      endpoint: '',
      accountId: 'a',
      amountAtoms: 1n,
      currency: 'EUR',
      openedMs: 0,
    },
  },
};

async function deliver(content: DeliveryContent, url: string, addresses: AddressCheck): Promise<unknown> {
  const sender = new Sender({
    clock: systemClock,
    addresses,
    secretFor: () => null,
    isRegistered: () => true,
    observe() {},
  });
  try {
    const delivery = { id: 'id', lane: 0, sequence: 1, owner: 'op', url, createdMs: 0, content };
    return await sender.first(delivery);
  } finally {
    await sender.stop();
  }
}

async function callWallet(url: string, addresses: AddressCheck): Promise<unknown> {
  const settings = {
    baseUrl: url,
    bearerKey: 'a bearer key of 16',
    hmacSecret: 'a secret of 16 characters',
    providerId: 'p',
    closeRounds: false,
    batchDebits: false,
    verificationLimit: null,
  };
  const client = new BrandClient(settings as never, {
    clock: systemClock,
    addresses,
    observe() {},
    alarm() {},
  });
  try {
    return await client.call({
      name: 'authenticate',
      path: '/authenticate',
      body: Buffer.from('{}'),
    } as never);
  } finally {
    await client.close();
  }
}

const callers: Readonly<Record<string, (url: string, addresses: AddressCheck) => Promise<unknown>>> = {
  callback: (url, addresses) => deliver(contents.callback!, url, addresses),
  flush: (url, addresses) => deliver(contents.flush!, url, addresses),
  wallet: callWallet,
};

const hosts: readonly string[] = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.0.1',
  '0',
  '0.0.0.0',
  '127.0.0.1.',
  '127.0.0.2',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.⓪.⓪.①',
  'ⓛocalhost',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  // IPv4 inside of IPv6: mapped, translated, tunnelled, in every spelling of its parts.
  '[::FFFF:127.0.0.1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0a00:0001]',
  '[::169.254.169.254]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[0064:ff9b:0:0:0:0:a9fe:a9fe]',
  '[64:ff9b:1:fffe::a9fe:a9fe]',
  '[2002:a00:1::1]',
  '[2002:a9fe:a9fe::]',
  '[2002:c0a8:0001::1]',
  '[2001:0:c0a8:1::1]',
  '[::1%25lo]',
  '[fec0::1]',
  '[fc00::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::80ff:fffe]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '167772161',
  '0xa000001',
  '0xA.0.0.1',
  '012.0.0.1',
  '0000012.00.00.01',
  '10.1',
  '10.0.1',
  '10.0.0.1.',
  '2852039166',
  '0xA9FEA9FE',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '025177524776',
  '169.16689662',
  '169.254.43518',
  '169.254.169.254.',
  '１６９.２５４.１６９.２５４',
  '⑯⑨.254.169.254',
  '١٢٧.٠.٠.١',
  '१२७.०.०.१',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '127｡0｡0｡1',
  '1\u00ad27.0.0.1',
  '4294967296',
  '256.0.0.1',
  '0x100000000',
  '127.0.0.1%2f.example.com',
  'metadata.google.internal',
  'metadata.google.internal.',
  'printer.local',
  'intranet',
  'x.home.arpa',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '240.0.0.1',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
];
const privateAnswers: readonly (readonly string[])[] = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['10.0.0.1'],
  ['93.184.215.14', '127.0.0.1'],
  ['0.0.0.0'],
  ['169.254.169.254'],
  ['::ffff:169.254.169.254'],
  ['::ffff:a9fe:a9fe'],
  ['64:ff9b::a9fe:a9fe'],
  ['64:ff9b:1::a00:1'],
  ['2002:a9fe:a9fe::1'],
  ['2001:0:a00:1::1'],
  ['::169.254.169.254'],
  ['fd00:ec2::254'],
  ['fe80::1%lo'],
  ['2606:4700::1', 'fd00::1'],
];

function expectNothing(): void {
  expect(accepted).toBe(0);
  for (const each of connects) expect(each).not.toHaveBeenCalled();
}

for (const [caller, call] of Object.entries(callers)) {
  it(`${caller}: no spelling of an address that is not public is connected to`, async () => {
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${port}/hook`;
        if (!URL.canParse(url)) continue;
        await call(url, check(false, ['127.0.0.1']));
        expectNothing();
      }
    }
  });

  it(`${caller}: a user in the address does not mislead`, async () => {
    for (const url of [
      `https://hooks.example.com@127.0.0.1:${port}/`,
      `https://hooks.example.com:443@localhost:${port}/`,
      `https://a:b@[::1]:${port}/`,
    ]) {
      await call(url, check(false, ['127.0.0.1']));
      expectNothing();
    }
  });

  it(`${caller}: no name that leads to such an address is connected to`, async () => {
    for (const answer of privateAnswers) {
      await call(`https://hooks.example.com:${port}/`, check(false, answer));
      expectNothing();
    }
  });

  it(`${caller}: a name is resolved once for a connection, and the checked address is the one`, async () => {
    // The first answer may be called and takes no connection; whoever asked again would be led to the server.
    const rebinding = check(false, ['192.88.98.1'], ['127.0.0.1']);
    const asked = vi.spyOn(rebinding, 'resolve');
    const dialled = tls.connect as unknown as ReturnType<typeof vi.fn>;
    vi.mocked(dialled).mockImplementationOnce(() => {
      const socket = new net.Socket();
      process.nextTick(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
      return socket as never;
    });
    await call(`https://hooks.example.com:${port}/`, rebinding);
    expect(accepted).toBe(0);
    expect(
      dialled.mock.calls.map(([options]) => (options as { host?: string; hostname?: string }).host),
    ).toEqual(['192.88.98.1']);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(1);
  });

  it(`${caller}: no redirect is followed, whatever it says and wherever it leads`, async () => {
    const asked: string[] = [];
    const locations = [
      `http://localhost:${port}/`,
      `http://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      '/again',
    ];
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of locations) {
        const redirecting = createServer((request, response) => {
          asked.push(request.url ?? '');
          response.writeHead(status, { location }).end();
        });
        await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done));
        const { port: first } = redirecting.address() as AddressInfo;
        asked.length = 0;
        await call(`http://127.0.0.1:${first}/hook`, check(true));
        await new Promise((done) => redirecting.close(done));
        expect(asked.filter((path) => path === '/again')).toEqual([]);
        expect(asked.length).toBeGreaterThan(0);
        expect(accepted).toBe(0);
      }
    }
  });

  it(`${caller}: in development loopback is called, so this test would see a connection`, async () => {
    await call(`http://127.0.0.1:${port}/`, check(true));
    expect(accepted).toBeGreaterThan(0);
    expect(connects[0]).toHaveBeenCalled();
  });
}
