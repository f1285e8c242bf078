import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { administratorCredentials, CredentialsError } from '../../../tools/gateway-client/credentials.ts';

const nothing = { url: null, username: null, password: null, passwordFile: null };
const remote = { ...nothing, url: 'https://jackpots.example', username: 'ada', password: 'secret' };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-credentials-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const read = (environment = nothing as typeof nothing | typeof remote, choices = {}) =>
  administratorCredentials(directory, environment, choices);

function store(content: unknown): void {
  writeFileSync(join(directory, 'credentials.json'), JSON.stringify(content), { mode: 0o600 });
}

function passwordFile(text: string, mode = 0o600): string {
  const path = join(directory, 'password');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('the credentials of a command', () => {
  it('come from the environment', async () => {
    expect(await read(remote)).toEqual({
      url: new URL('https://jackpots.example'),
      username: 'ada',
      password: 'secret',
    });
  });

  it('come from options before the environment', async () => {
    const choices = { url: 'https://other.example', username: 'bob', passwordFile: passwordFile('of bob\n') };
    expect(await read(remote, choices)).toEqual({
      url: new URL('https://other.example'),
      username: 'bob',
      password: 'of bob',
    });
  });

  it('come from the system of the data directory where nothing else is named', async () => {
    store({ base_url: 'http://127.0.0.1:8080', admin: { username: 'admin', password: 'local' } });
    expect(await read()).toMatchObject({ username: 'admin', password: 'local' });
  });

  it.each([
    ['at another address', { url: 'https://jackpots.example', username: 'admin' }],
    ['for another user', { username: 'bob' }],
  ])('never use the local password %s', async (_, choices) => {
    store({ base_url: 'http://127.0.0.1:8080', admin: { username: 'admin', password: 'local' } });
    await expect(read(nothing, choices)).rejects.toThrow(CredentialsError);
  });

  it.each([
    ['no address', nothing, {}, /address/],
    ['no user', { ...remote, username: null }, {}, /administrator/],
    ['no password', { ...remote, password: null }, {}, /password is missing/],
    ['plain HTTP to another machine', { ...remote, url: 'http://jackpots.example' }, {}, /use https/],
    [
      'a name that only begins like loopback',
      { ...remote, url: 'http://127.0.0.1.example' },
      {},
      /use https/,
    ],
    ['credentials in the address', { ...remote, url: 'https://a:b@jackpots.example' }, {}, /not an address/],
    ['another protocol', { ...remote, url: 'ftp://jackpots.example' }, {}, /not an address/],
    ['a file that is missing', remote, { passwordFile: '/nowhere/password' }, /does not exist/],
  ])('are refused with %s', async (_, environment, choices, message) => {
    await expect(read(environment as typeof nothing, choices)).rejects.toThrow(message);
  });

  it('are refused with a file that others may read, or without a password in it', async () => {
    await expect(read(remote, { passwordFile: passwordFile('x', 0o644) })).rejects.toThrow(/0600/);
    await expect(read(remote, { passwordFile: passwordFile('\n') })).rejects.toThrow(/must hold a password/);
  });
});
