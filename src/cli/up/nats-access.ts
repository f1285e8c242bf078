import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import { readJsonFile, writeJsonFile } from '../../supervisor/json-file.ts';
import { newPassword } from './credentials.ts';

/** `<data>/run/nats.json`: how to reach the embedded server; for `up` and for the commands beside it. */
export type NatsAccess = {
  readonly url: string;
  readonly monitorUrl: string;
  readonly user: string;
  readonly password: string;
};

/** The access of this start: new ports, and the password of the last start where there was one. */
export function prepareNatsAccess(runDirectory: string, port: number, monitorPort: number): NatsAccess {
  const present = readNatsAccess(runDirectory);
  const access = {
    url: `nats://127.0.0.1:${port}`,
    monitorUrl: `http://127.0.0.1:${monitorPort}`,
    user: 'potstream',
    password: present?.password ?? newPassword(),
  };
  writeJsonFile(pathOf(runDirectory), access);
  return access;
}

export function readNatsAccess(runDirectory: string): NatsAccess | null {
  const access = readJsonFile(pathOf(runDirectory)) as Partial<NatsAccess> | null;
  return typeof access?.password === 'string' && typeof access.url === 'string'
    ? (access as NatsAccess)
    : null;
}

export function withNatsAccess(settings: Settings, access: NatsAccess): Settings {
  return {
    ...settings,
    natsUrl: access.url,
    natsMonitorUrl: access.monitorUrl,
    natsCredentials: { user: access.user, password: access.password },
  };
}

function pathOf(runDirectory: string): string {
  return join(runDirectory, 'nats.json');
}
