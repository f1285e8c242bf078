import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWalletCertificate } from '../../../src/contracts/directory/wallet-settings.ts';
import { packageVersion } from '../../../src/runtime/package-root.ts';
import { checks } from '../../../tools/wallet-verify/checks.ts';
import { type VerifyWalletChoices, verifyWalletCommand } from '../../../tools/wallet-verify/run.ts';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { type Mutant, startMutant } from './mutant.ts';
import { brokenWallets } from './mutations.ts';
import { configuration, prepare } from './support.ts';

let wallet: TestWallet;
let broken: Mutant;
let folder: string;
let config: string;
let text = '';
let messages: string[] = [];

beforeAll(async () => {
  wallet = await startTestWallet();
  await prepare(wallet);
  const mutation = brokenWallets.find(({ name }) => name === 'redirects cancellations')!.mutation();
  broken = await startMutant(wallet, mutation);
  folder = mkdtempSync(join(tmpdir(), 'verify-wallet-'));
  config = join(folder, 'wallet.json');
  writeFileSync(config, JSON.stringify({ ...configuration(wallet.url), timeout_ms: 60_000 }));
});
afterAll(async () => {
  await broken.stop();
  await wallet.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  text = '';
  messages = [];
});

function run(choices: Partial<VerifyWalletChoices>): Promise<number> {
  return verifyWalletCommand(
    {
      ...{ flags: {}, files: [config], environment: {}, json: false, junit: null, certificate: null },
      ...choices,
    },
    {
      write: (more) => {
        text += more;
      },
      print: (line) => void messages.push(line),
    },
  );
}

describe('potstream wallet verify', () => {
  it('ends with CERTIFIED and 0 for a good wallet, and shows no secret', async () => {
    expect(await run({})).toBe(0);
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('CERTIFIED');
    for (const { id } of checks) expect(text).toContain(` ${id} `);
    for (const secret of ['bearer-of-the-tests', 'secret-of-the-tests']) expect(text).not.toContain(secret);
  });

  it('says of a bad one what was sent, what came back and what to do, and ends with 1', async () => {
    const junit = join(folder, 'report.xml');
    const certificate = join(folder, 'certificate.json');
    const begunMs = Date.now();
    expect(await run({ flags: { url: broken.url }, junit, certificate })).toBe(1);
    expect(text.trimEnd().split('\n').at(-1)).toBe(`NOT CERTIFIED: 15 of ${checks.length} checks failed`);
    const [, report = ''] = text.split('FAILED   w2.unknown');
    expect(report).toMatch(
      /^ .*\n {4}wrong {2}The request was not accepted: status 307\.\n {4}sent {3}W2 POST \/transactions\/.*\n {4}back {3}307 \n {4}do {5}Answer 404/,
    );
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain(`tests="${checks.length}" failures="15"`);
    expect(xml.match(/<failure /g)).toHaveLength(15);
    expect(xml.match(/<testcase /g)).toHaveLength(checks.length);
    const written = JSON.parse(readFileSync(certificate, 'utf8'));
    expect(newWalletCertificate.parse(written)).toMatchObject({
      ...{ operator_id: 'acme', brand_id: 'acme:main', base_url: broken.url, version: packageVersion() },
      ...{ passed: checks.length - 15, skipped: [] },
      failed: expect.arrayContaining(['w2.unknown']),
    });
    expect(written.failed).toHaveLength(15);
    expect(written.verified_timestamp).toBeGreaterThanOrEqual(begunMs);
    expect(written.verified_timestamp).toBeLessThanOrEqual(Date.now());
  });

  it('prints one JSON document', async () => {
    expect(await run({ json: true })).toBe(0);
    const report = JSON.parse(text);
    expect(report).toMatchObject({ certified: true, url: wallet.url, brand: 'acme:main' });
    expect(report.results).toHaveLength(checks.length);
  });

  it('takes keys from the environment, and skips what nothing is known for', async () => {
    const { bearer_key, hmac_secret, expired_token, revoked_token, players, ...rest } = configuration(
      wallet.url,
    );
    const file = join(folder, 'without-keys.json');
    writeFileSync(file, JSON.stringify({ ...rest, players: players.slice(0, 2), timeout_ms: 60_000 }));
    expect(await run({ files: [file], environment: { bearer_key, hmac_secret } })).toBe(0);
    expect(text.match(/^skipped/gm)).toHaveLength(4);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      `CERTIFIED; skipped checks do not prevent it: 4 of ${checks.length} were, the lines above say what they need`,
    );
  });

  it.each([
    [
      'nothing',
      { flags: {}, files: [] },
      /bearer_key is missing \(POTSTREAM_WALLET_BEARER_KEY, or `bearer_key` of --config\)[\s\S]*hmac_secret[\s\S]*operator_id is missing \(--operator[\s\S]*brand_id[\s\S]*players/,
    ],
    ['a key with a line break', { flags: { bearer_key: 'key\n' } }, /bearer_key has a line break/],
    ['a secret with a line break', { flags: { hmac_secret: 'secret\r\n' } }, /hmac_secret has a line break/],
    ['an address with a query', { flags: { url: 'http://127.0.0.1/?a=b' } }, /has no query/],
    ['an address that is none', { flags: { url: 'wallet.example.com' } }, /URL of the wallet/],
    [
      'one player',
      { flags: { players: [{ player_id: 'ada', token: 't', currency: 'EUR' }] } },
      /two players/,
    ],
    ['a file that is not there', { files: ['/nowhere.json'] }, /nowhere\.json cannot be read/],
    ['nobody at the address', { flags: { url: 'http://127.0.0.1:9' } }, /cannot be reached.*Nothing listens/],
  ])('ends with 2 with %s', async (_, choices, message) => {
    expect(await run(choices)).toBe(2);
    expect(messages.join('\n')).toMatch(message);
  });

  it('names members of the configuration that it does not know', async () => {
    const file = join(folder, 'misspelt.json');
    const { players, ...rest } = configuration(wallet.url);
    const [first, ...others] = players.map((one) => ({ ...one, brand: 'main' }));
    writeFileSync(file, JSON.stringify({ ...rest, expired_tokens: 'x', players: [first, ...others] }));
    expect(await run({ files: [file] })).toBe(2);
    expect(messages[0]).toMatch(
      /misspelt\.json has members that are not known: expired_tokens, players\.0\.brand/,
    );
  });

  it('takes the credentials of a demo, which have more members', async () => {
    const file = join(folder, 'credentials.json');
    const { url, ...rest } = configuration(wallet.url);
    const demo = { ...rest, wallet_url: url, base_url: 'http://127.0.0.1:1', admin: {}, timeout_ms: 60_000 };
    writeFileSync(file, JSON.stringify(demo));
    expect(await run({ files: [file], flags: { timeout_ms: 1, url: 'http://127.0.0.1:9' } })).toBe(2);
    expect(messages[0]).toMatch(/cannot be reached/);
  });
});
