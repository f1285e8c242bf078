import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../runtime/package-root.ts';
import { type EmbeddedUser, quoted, renderUsers } from './users.ts';

/** What the template of deploy/nats/nats.conf leaves open when one server runs on this machine alone. */
type EmbeddedValues = {
  readonly serverName: string;
  readonly port: number;
  readonly monitorPort: number;
  readonly storeDirectory: string;
  readonly pidFile: string;
  readonly users: readonly EmbeddedUser[];
};

/** Lines of the template that are comments in production. */
const embeddedLine = /^([ \t]*)# embedded: /gm;
const productionSection = /^[ \t]*# >>> production\n[\s\S]*?^[ \t]*# <<< production\n/gm;

/** The configuration of the embedded server: production's template, one replica, loopback. */
export async function renderEmbeddedConfiguration(values: EmbeddedValues): Promise<string> {
  return renderTemplate(await readFile(join(packageRoot, 'deploy/nats/nats.conf'), 'utf8'), values);
}

/** Leaves the production sections out and writes the values in the place of the variables. */
export function renderTemplate(template: string, values: EmbeddedValues): string {
  const variables: Record<string, string> = {
    POTSTREAM_NATS_NAME: values.serverName,
    POTSTREAM_NATS_LISTEN: `127.0.0.1:${values.port}`,
    POTSTREAM_NATS_MONITOR: `127.0.0.1:${values.monitorPort}`,
    POTSTREAM_NATS_STORE: values.storeDirectory,
    POTSTREAM_NATS_PID_FILE: values.pidFile,
  };
  const withoutComments = template
    .replace(productionSection, '')
    .replace(embeddedLine, '$1')
    .replace(/^[ \t]*#.*\n/gm, '');
  return withoutComments.replace(/\$([A-Z][A-Z0-9_]*)/g, (_match, name: string) => {
    if (name === 'POTSTREAM_NATS_USERS') return renderUsers(values.users);
    const value = variables[name];
    if (value === undefined)
      throw new Error(`deploy/nats/nats.conf uses $${name}, which has no embedded value.`);
    return quoted(value);
  });
}
