import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, PermissionViolationError } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectAudit,
  connectBus,
  connectInspector,
  connectLog,
  connectSideStreams,
  connectStorage,
} from '../../../src/log/jetstream/connect.ts';
import { type NatsRole, natsRoles, permissionsOf } from '../../../src/log/roles/permissions.ts';
import type { LogCredentials, LogTls } from '../../../src/log/roles/settings.ts';
import { grants } from './role-grants.ts';

export interface ServersOfRoles {
  readonly urls: readonly string[];
  readonly replicas: number;
  readonly tls?: LogTls;
  credentials(role: NatsRole): LogCredentials;
  /** For a connection without our adapters. */
  authentication(role: NatsRole): ConnectionOptions;
  stop(): Promise<void>;
}

const lanes = 2;
/** So that whoever asks is answered. */
const first: readonly NatsRole[] = ['storage', 'actors', 'wallet', 'reporting'];
const inOrder: readonly NatsRole[] = [...first, ...natsRoles.filter((role) => !first.includes(role))];

/** Each role does all that it must and is refused all else, by servers with the permissions that we give them. */
export function roleContract(name: string, open: () => Promise<ServersOfRoles>): void {
  describe(name, () => {
    let servers: ServersOfRoles;
    const closing: { close(): Promise<void> }[] = [];
    const denied: string[] = [];
    const collect = (warning: Error & { code?: string }): void => {
      if (warning.code === 'POTSTREAM_NATS_PERMISSION_DENIED') denied.push(warning.message);
    };

    beforeAll(async () => {
      process.on('warning', collect);
      servers = await open();
    });
    afterAll(async () => {
      process.off('warning', collect);
      await Promise.all(closing.map((each) => each.close()));
      await servers.stop();
    });

    test.each(inOrder)('%s does all that it must', async (role) => {
      const settings = {
        servers: servers.urls,
        credentials: servers.credentials(role),
        role,
        replicas: servers.replicas,
        ...(servers.tls === undefined ? {} : { tls: servers.tls }),
        maxStreamBytes: 64 * 1024 * 1024,
      };
      const [log, bus, audit, { trimmer, room, ...storage }, inspector, sides] = await Promise.all([
        connectLog(settings),
        connectBus(settings),
        connectAudit(settings),
        connectStorage(settings),
        connectInspector(settings, lanes),
        connectSideStreams(settings),
      ]);
      closing.push(log, bus, audit, storage.log, inspector, sides);
      await grants[role]({ log, bus, audit, trimmer, room, inspector, sides });
      // A refusal comes after the message that it is about.
      await delay(200);
      expect(denied).toEqual([]);
    });

    test.each(natsRoles)('%s is refused everything else', async (role) => {
      const connection = await connect({
        servers: [...servers.urls],
        ...servers.authentication(role),
      });
      const refused = new Set<string>();
      void (async () => {
        for await (const status of connection.status())
          if (status.type === 'error' && status.error instanceof PermissionViolationError)
            refused.add(`${status.error.operation} ${status.error.subject}`);
      })();
      const own = permissionsOf(role, lanes);
      const publishing = forbidden(foreignPublishes(), own.publish);
      const subscribing = forbidden(foreignSubscriptions(), own.subscribe);
      expect(publishing.length).toBeGreaterThan(50);
      expect(subscribing.length).toBeGreaterThan(5);
      for (const subject of publishing) connection.publish(subject, '{}');
      for (const subject of subscribing) connection.subscribe(subject, { callback: () => {} });
      await connection.flush();
      const wanted = [
        ...publishing.map((subject) => `publish ${subject}`),
        ...subscribing.map((subject) => `subscription ${subject}`),
      ];
      for (let looks = 0; looks < 100 && refused.size < wanted.length; looks += 1) await delay(50);
      await connection.close();
      expect([...refused].sort()).toEqual(wanted.sort());
    });
  });
}

/** Everything that any role may write, and what nobody may. */
function foreignPublishes(): string[] {
  const ofRoles = natsRoles.flatMap((role) => permissionsOf(role, lanes).publish);
  const streams = [
    ...new Set(ofRoles.flatMap((subject) => /^\$JS\.API\.STREAM\.INFO\.(.+)$/.exec(subject)?.[1] ?? [])),
  ];
  const nobody = streams.flatMap((stream) =>
    [
      'DELETE',
      'PURGE',
      'UPDATE',
      'CREATE',
      'MSG.DELETE',
      'SNAPSHOT',
      'RESTORE',
      'PEER.REMOVE',
      'LEADER.STEPDOWN',
    ].map((operation) => `$JS.API.STREAM.${operation}.${stream}`),
  );
  const consumers = streams.flatMap((stream) => [
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.name`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.name`,
    `$JS.API.CONSUMER.NAMES.${stream}`,
    `$JS.API.CONSUMER.LIST.${stream}`,
  ]);
  const others = [
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.LIST',
    '$JS.API.META.LEADER.STEPDOWN',
    '$JS.API.ACCOUNT.PURGE.G',
    '$SYS.REQ.SERVER.PING',
    'audit.all',
    ...natsRoles.map((role) => `_INBOX.${role}.log.someone`),
    ...natsRoles.map((role) => `_INBOX.${role}.query.someone`),
    ...natsRoles.map((role) => `_INBOX.${role}.wallet.someone`),
  ];
  return [...ofRoles.map(concrete), ...nobody, ...consumers, ...others];
}

function foreignSubscriptions(): string[] {
  const ofRoles = natsRoles.flatMap((role) => permissionsOf(role, lanes).subscribe);
  return [
    ...ofRoles,
    '>',
    '_INBOX.>',
    '$JS.API.>',
    '$JS.>',
    '$KV.>',
    '$O.>',
    'cmd.>',
    'out.>',
    'query.*',
    '$SYS.>',
  ];
}

/** Those that the patterns do not cover, each once. */
function forbidden(subjects: readonly string[], allowed: readonly string[]): string[] {
  return [...new Set(subjects)].filter((subject) => !allowed.some((pattern) => covers(pattern, subject)));
}

function concrete(pattern: string): string {
  return pattern
    .split('.')
    .map((token) => (token === '*' || token === '>' ? 'any' : token))
    .join('.');
}

function covers(pattern: string, subject: string): boolean {
  const [wanted, found] = [pattern.split('.'), subject.split('.')];
  for (const [at, token] of wanted.entries()) {
    if (token === '>') return found.length > at;
    if (found[at] === undefined || found[at] === '>') return false;
    if (token !== '*' && token !== found[at]) return false;
  }
  return wanted.length === found.length;
}
