import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { type NatsRole, natsRoles } from '../../log/roles/permissions.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { newPassword } from './credentials-file.ts';

/** `<data>/run/nats.json`: access to the embedded server for `up` and other commands, never for a role. */
export type NatsAccess = {
  readonly url: string;
  readonly monitorUrl: string;
  readonly passwords: Readonly<Record<NatsRole, string>>;
  /** The mode of the running system, for commands beside it. Absent in files of earlier versions. */
  readonly development?: boolean;
};

/** The access of this start: its ports, and new passwords for all users. Those of earlier starts are void. */
export function prepareNatsAccess(
  runDirectory: string,
  ports: { readonly nats: number; readonly natsMonitor: number },
  development: boolean,
): NatsAccess {
  const passwords = Object.fromEntries(natsRoles.map((role) => [role, newPassword()]));
  const access = {
    url: `nats://127.0.0.1:${ports.nats}`,
    monitorUrl: `http://127.0.0.1:${ports.natsMonitor}`,
    passwords: passwords as Record<NatsRole, string>,
    development,
  };
  writeJsonFile(pathOf(runDirectory), access);
  return access;
}

export function readNatsAccess(runDirectory: string): NatsAccess | null {
  const access = readJsonFile(pathOf(runDirectory)) as Partial<NatsAccess> | null;
  return typeof access?.passwords === 'object' && typeof access.url === 'string'
    ? (access as NatsAccess)
    : null;
}

/** The settings of one role, with only its own password. */
export function withNatsAccess(settings: Settings, access: NatsAccess, role: NatsRole): Settings {
  return {
    ...settings,
    natsUrl: access.url,
    natsMonitorUrl: access.monitorUrl,
    natsCredentials: { kind: 'password', user: role, password: access.passwords[role] },
    natsTls: null,
    development: settings.development ?? access.development ?? null,
  };
}

/** Settings with which a command reaches the system that runs on their data; else those given. */
export function ofRunningSystem(settings: Settings, role: NatsRole): Settings {
  if (settings.natsCredentials !== null) return settings;
  const access = readNatsAccess(dataPaths(settings.dataDirectory).run);
  return access === null ? settings : withNatsAccess(settings, access, role);
}

/** For processes that do not use nats-server. */
export function withoutNatsAccess(settings: Settings): Settings {
  return { ...settings, natsCredentials: null, natsTls: null };
}

function pathOf(runDirectory: string): string {
  return join(runDirectory, 'nats.json');
}
