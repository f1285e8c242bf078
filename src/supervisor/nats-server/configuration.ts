import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** What the template of deploy/nats.conf leaves open when one server runs on this machine alone. */
export type EmbeddedValues = {
  readonly serverName: string;
  readonly port: number;
  readonly monitorPort: number;
  readonly storeDirectory: string;
  readonly pidFile: string;
  readonly user: string;
  readonly password: string;
};

const productionSection = /^[ \t]*# >>> production\n[\s\S]*?^[ \t]*# <<< production\n/gm;

/** The configuration of the embedded server: production's template, one replica, loopback. */
export async function renderEmbeddedConfiguration(values: EmbeddedValues): Promise<string> {
  return renderTemplate(await readFile(join(packageRoot, 'deploy/nats.conf'), 'utf8'), values);
}

/** Leaves the production sections out and writes the values in the place of the variables. */
export function renderTemplate(template: string, values: EmbeddedValues): string {
  const variables: Record<string, string> = {
    POTSTREAM_NATS_NAME: values.serverName,
    POTSTREAM_NATS_LISTEN: `127.0.0.1:${values.port}`,
    POTSTREAM_NATS_MONITOR: `127.0.0.1:${values.monitorPort}`,
    POTSTREAM_NATS_STORE: values.storeDirectory,
    POTSTREAM_NATS_PID_FILE: values.pidFile,
    POTSTREAM_NATS_USER: values.user,
    POTSTREAM_NATS_PASSWORD: values.password,
  };
  const withoutComments = template.replace(productionSection, '').replace(/^[ \t]*#.*\n/gm, '');
  return withoutComments.replace(/\$([A-Z][A-Z0-9_]*)/g, (_match, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`deploy/nats.conf uses $${name}, which has no embedded value.`);
    return quoted(value);
  });
}

/** A double-quoted string of nats-server's configuration language. */
function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
