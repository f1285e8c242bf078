import { type NatsRole, natsRoles, type Permissions, permissionsOf } from '../../log/roles/permissions.ts';

/** A user of the embedded server. Permissions null: everything. */
export type EmbeddedUser = {
  readonly user: string;
  readonly password: string;
  readonly permissions: Permissions | null;
};

/** One user for each role, under the role's name. */
export function embeddedUsers(passwords: Readonly<Record<NatsRole, string>>, lanes: number): EmbeddedUser[] {
  return natsRoles.map((role) => ({
    user: role,
    password: passwords[role],
    permissions: permissionsOf(role, lanes),
  }));
}

/** The value of `users` in the configuration of the embedded server. */
export function renderUsers(users: readonly EmbeddedUser[]): string {
  const lines = users.map(
    ({ user, password, permissions }) =>
      `{ user: ${quoted(user)}, password: ${quoted(password)}` +
      `${permissions === null ? '' : `, permissions: ${renderPermissions(permissions)}`} }`,
  );
  return `[\n${lines.join('\n')}\n]`;
}

/** deploy/nats/nats-roles.conf: the permissions of each role as a variable that nats.conf names. */
export function renderRoles(lanes: number): string {
  const roles = natsRoles.map(
    (role) => `${permissionsVariable(role)} ${renderPermissions(permissionsOf(role, lanes))}`,
  );
  const head =
    `# What each role may publish and subscribe in a system of ${lanes} lanes. Made by "potstream nats roles --lanes ${lanes}" of\n` +
    '# src/log/roles/permissions.ts; nats.conf includes it. A test compares the two.';
  return `${[head, ...roles].join('\n\n')}\n`;
}

function permissionsVariable(role: NatsRole): string {
  return `POTSTREAM_MAY_${role.toUpperCase()}`;
}

function renderPermissions({ publish, subscribe }: Permissions): string {
  return `{\n  publish: { allow: ${list(publish)} }\n  subscribe: { allow: ${list(subscribe)} }\n}`;
}

function list(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `    ${quoted(subject)}\n`).join('')}  ]`;
}

/** A double-quoted string of nats-server's configuration language. */
export function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
