import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type VerifyChoices, verifyCommand, verifyExitCodes } from '../../../tools/verify/run.ts';
import { contribution, running } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { type PublishedEpoch, PublishingLane } from '../../verifier/support/epochs.ts';

const instance = 'jackpot';
const often = threePots({}, { pot_types: [{ HitRate: { max_magic_number: 9, cost_per_attempt: '0.1' } }] });
let directory: string;
let server: Server;
let baseUrl: string;
let epochs: readonly PublishedEpoch[];
/** The same, cut into pages; the server answers with these where `isPaged` says so. */
let paged: readonly (readonly Readonly<Record<string, unknown>>[])[];
let isPaged = false;
/** A page that the server has lost. */
let lostPage: number | null = null;
/** How often the server still says that it has too much to do. */
let busy = 0;
/** Whether it shows epochs to a request; null: to every one. */
let opensFor: ((headers: IncomingHttpHeaders, brand: string | null) => boolean) | null = null;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-verify-'));
  const lane = new PublishingLane(10);
  lane.apply(...running(often));
  for (let message = 0; message < 7; message += 1)
    lane.apply(...Array.from({ length: 5 }, (_, index) => contribution({ player: `p${index}` })));
  epochs = lane.published();
  paged = lane.pages({ textBytes: 100_000, records: 5 }) as typeof paged;
  server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const page = Number(searchParams.get('page') ?? '0');
    const prefix = `/v1/fairness/instances/${instance}/epochs`;
    const epoch = path.startsWith(`${prefix}/`) ? Number(path.slice(prefix.length + 1)) : null;
    const body = path === prefix ? listed() : epoch === null ? null : answered(epoch, page);
    const isOpen = opensFor === null || opensFor(request.headers, searchParams.get('brand_id'));
    const status = busy-- > 0 ? 429 : isOpen ? (body === null ? 404 : 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? body : { code: 'x' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

function listed() {
  const revealed = epochs.map((_, epoch) => ({ epoch, state: 'revealed', commit: null }));
  return [...revealed, { epoch: epochs.length, state: 'running', commit: null }];
}

function answered(epoch: number, page: number) {
  if (page > 0) return continuationPage(epoch, page);
  const published = isPaged ? (paged[epoch]?.[0] as PublishedEpoch | undefined) : epochs[epoch];
  if (published === undefined) {
    const running = { instance_id: instance, epoch, state: 'running', header: null, groups: null };
    return epoch === epochs.length ? running : null;
  }
  const { commit } = published.header;
  return { instance_id: instance, epoch, state: 'revealed', commit, ...published };
}

function continuationPage(epoch: number, page: number) {
  const found = isPaged && page !== lostPage ? paged[epoch]?.[page] : undefined;
  return found === undefined ? null : { instance_id: instance, epoch, ...found };
}

function file(json: unknown): string {
  const path = join(directory, 'saved.json');
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
  return path;
}

async function verify(choices: Partial<VerifyChoices>) {
  let written = '';
  let said = '';
  const none = {
    ...{ instance: null, epoch: null, sequence: null, commit: null, head: null, json: false },
    ...{ tokenFile: null, brand: null },
  };
  const code = await verifyCommand(
    { from: baseUrl, ...none, ...choices },
    { write: (text) => (written += text), print: (line) => (said += line) },
  );
  return { code, written, said };
}

describe('potstream verify', () => {
  it('verifies every revealed epoch of a system, from the first on', async () => {
    const { code, written } = await verify({ instance });
    expect(code).toBe(verifyExitCodes.verified);
    expect(written.match(/^Instance jackpot, epoch \d/gm)).toHaveLength(epochs.length);
    expect(written).toContain('the epoch before ends where this one begins');
    expect(written).toMatch(new RegExp(`^VERIFIED {2}${epochs.length} epochs`, 'm'));
  });

  it('asks for all pages of large epochs, and takes none for granted', async () => {
    isPaged = true;
    expect(Math.min(...paged.map(({ length }) => length))).toBeGreaterThanOrEqual(2);
    const { code, written } = await verify({ instance });
    expect(code).toBe(verifyExitCodes.verified);
    expect(written).toMatch(new RegExp(`^VERIFIED {2}${epochs.length} epochs`, 'm'));
    lostPage = 1;
    const lost = await verify({ instance, epoch: 0 });
    expect(lost.code).toBe(verifyExitCodes.unreadable);
    expect(lost.said).toContain('epochs/0?page=1 answers 404');
    lostPage = null;
    isPaged = false;
  });

  it('verifies saved pages, of one epoch and of several behind each other', async () => {
    expect((await verify({ from: file(paged[1]) })).code).toBe(verifyExitCodes.verified);
    const all = await verify({ from: file(paged.flat()) });
    expect(all.code).toBe(verifyExitCodes.verified);
    expect(all.written).toMatch(new RegExp(`^VERIFIED {2}${epochs.length} epochs`, 'm'));
    const { code, written } = await verify({ from: file(paged[1]!.slice(0, -1)) });
    expect(code).toBe(verifyExitCodes.failed);
    expect(written).toMatch(/^FAILED.*page 1 of \d+ is not there/m);
    const surplus = [...paged[0]!, { ...paged[0]![1], page: paged[0]!.length }];
    expect((await verify({ from: file(surplus) })).code).toBe(verifyExitCodes.failed);
  });

  it('shows a token of a file or of the environment where the operator asks for one, and to no other system', async () => {
    opensFor = ({ authorization }) => authorization === 'Bearer a.b.c';
    try {
      const without = await verify({ instance });
      expect([without.code, without.said]).toEqual([
        verifyExitCodes.unreadable,
        expect.stringMatching(/answers 401.*POTSTREAM_VERIFY_TOKEN or --token-file/),
      ]);
      const tokenFile = join(directory, 'token');
      writeFileSync(tokenFile, 'a.b.c\n');
      expect((await verify({ instance, tokenFile })).code).toBe(verifyExitCodes.verified);
      vi.stubEnv('POTSTREAM_VERIFY_TOKEN', 'a.b.c');
      expect((await verify({ instance, epoch: 0 })).code).toBe(verifyExitCodes.verified);
      opensFor = (headers, brand) => headers['x-player-token'] === 'a.b.c' && brand === 'acme:main';
      expect((await verify({ instance, brand: 'acme:main' })).code).toBe(verifyExitCodes.verified);
      const elsewhere = createServer((_, response) => response.writeHead(307, { location: baseUrl }).end());
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      const from = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
      expect((await verify({ from, instance })).code).toBe(verifyExitCodes.unreadable);
      elsewhere.close();
    } finally {
      opensFor = null;
      vi.unstubAllEnvs();
    }
  });

  it('repeats no token that is none', async () => {
    const tokenFile = join(directory, 'broken');
    writeFileSync(tokenFile, 'secret\nsecret');
    const { code, said } = await verify({ instance, tokenFile });
    expect([code, said.includes('secret')]).toEqual([verifyExitCodes.unreadable, false]);
    expect((await verify({ instance, tokenFile: join(directory, 'nowhere') })).code).toBe(
      verifyExitCodes.unreadable,
    );
  });

  it('waits where the system asks it to', async () => {
    busy = 2;
    expect((await verify({ instance, epoch: 0 })).code).toBe(verifyExitCodes.verified);
  });

  it('verifies a saved file, with the draw that was asked for, as text and as JSON', async () => {
    const from = file(epochs);
    const { code, written } = await verify({ from, sequence: 3 });
    expect(code).toBe(verifyExitCodes.verified);
    expect(written).toMatch(/^Number 3, .* contribution 0\.10$/m);
    expect(written).toMatch(/HitRate: u \d+ of 90000000, wins below 10000000: (missed|won|void)/);
    const json = JSON.parse((await verify({ from, epoch: 1, json: true })).written);
    expect(json).toMatchObject({ verified: true, epochs: [{ epoch: 1, failure: null }] });
  });

  it('names the first thing that does not hold, and its number', async () => {
    const text = JSON.stringify(epochs[1]);
    const found = /"seq":(\d+),"c":"10000000"/.exec(text)!;
    const from = file(text.replace(found[0], found[0].replace('"10000000"', '"10000001"')));
    const { code, written } = await verify({ from });
    expect(code).toBe(verifyExitCodes.failed);
    expect(written).toMatch(new RegExp(`^FAILED at number ${found[1]}: `, 'm'));
    expect(written).toMatch(/^ {2}VERIFIED {4}The commitment/m);
    expect(written).toMatch(/^ {2}not checked +The closing balances/m);
  });

  it('refuses a file in which a member is there twice', async () => {
    const text = JSON.stringify(epochs).replace('"records":[', '"records":[],"records":[');
    const { code, written } = await verify({ from: file(text) });
    expect(code).toBe(verifyExitCodes.failed);
    expect(written).toMatch(/^FAILED.*"records" is there twice/);
    const asJson = await verify({ from: file(text), json: true });
    expect(asJson.code).toBe(verifyExitCodes.failed);
    expect(JSON.parse(asJson.written)).toMatchObject({ verified: false, failure: { check: 'document' } });
  });

  it('compares what was noted down elsewhere', async () => {
    const from = file(epochs[0]);
    const { commit } = epochs[0]!.header as { commit: string };
    const { head } = epochs[0]!.closing;
    expect((await verify({ from, commit, head })).code).toBe(verifyExitCodes.verified);
    expect((await verify({ from, commit: head })).code).toBe(verifyExitCodes.failed);
    expect((await verify({ from, head: commit })).code).toBe(verifyExitCodes.failed);
  });

  it.each([
    [
      'an epoch that is not revealed',
      () => ({ instance, epoch: epochs.length }),
      verifyExitCodes.notRevealed,
    ],
    ['no such jackpot', () => ({ instance: 'nowhere' }), verifyExitCodes.unreadable],
    ['nobody there', () => ({ from: 'http://127.0.0.1:1', instance }), verifyExitCodes.unreadable],
    ['no such file', () => ({ from: join(directory, 'nowhere') }), verifyExitCodes.unreadable],
    ['no JSON', () => ({ from: file('{') }), verifyExitCodes.unreadable],
    ['an epoch that the file lacks', () => ({ from: file(epochs), epoch: 99 }), verifyExitCodes.unreadable],
    ['JSON of something else', () => ({ from: file({}) }), verifyExitCodes.failed],
  ])('says by its exit code: %s', async (_, choices, code) => {
    const result = await verify(choices());
    expect(result.code).toBe(code);
    expect(result.said + result.written).not.toBe('');
  });
});
