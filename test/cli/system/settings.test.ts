import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordSettings, systemSettings } from '../../../src/cli/system/settings.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { identifyProcess } from '../../../src/runtime/process-identity.ts';

let data: string;
let run: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'system-settings-'));
  run = join(data, 'run');
  mkdirSync(run);
});
afterEach(() => rmSync(data, { recursive: true }));

const holdLock = (holder: object) => writeFileSync(join(run, 'up.lock'), JSON.stringify(holder));
const ofUp = () =>
  readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: '16',
    POTSTREAM_PORT: '9000',
    POTSTREAM_HOST: '127.0.0.2',
    POTSTREAM_WITNESS_DIRECTORY: '/mnt/witness',
    POTSTREAM_NATS_URL: 'nats://elsewhere:4222',
    POTSTREAM_NATS_USER: 'user',
    POTSTREAM_NATS_PASSWORD: 'a secret',
    POTSTREAM_NEW_KEYS: '1',
  });

it('a command has the settings of the system that runs on its data, and what its environment names', () => {
  recordSettings(run, ofUp());
  holdLock(identifyProcess(process.pid)!);
  const found = systemSettings({ POTSTREAM_DATA: data, POTSTREAM_HOST: '127.0.0.3' });
  expect(found).toMatchObject({ lanes: 16, gatewayPort: 9000, gatewayHost: '127.0.0.3', newKeys: false });
  expect(found.witnessDirectory).toBe('/mnt/witness');
  expect(found.natsUrl).toBe(readSettings({}).natsUrl);
  expect(readFileSync(join(run, 'settings.json'), 'utf8')).not.toMatch(/secret|elsewhere/);
});

it.each([
  ['no system runs', () => {}],
  ['its process is gone', () => holdLock({ ...identifyProcess(process.pid)!, birth: 'another' })],
])('its environment alone counts where %s', (_, before) => {
  recordSettings(run, ofUp());
  before();
  expect(systemSettings({ POTSTREAM_DATA: data })).toEqual(readSettings({ POTSTREAM_DATA: data }));
});

it('a system of an earlier version has recorded nothing', () => {
  holdLock(identifyProcess(process.pid)!);
  expect(systemSettings({ POTSTREAM_DATA: data })).toEqual(readSettings({ POTSTREAM_DATA: data }));
});
