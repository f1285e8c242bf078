import type { RunningSystem } from './system.ts';

/** Sends a request and gives the parsed answer; throws where it is no success. */
export type Call = (method: string, path: string, body: unknown, token?: string) => Promise<unknown>;

export function callerOf({ host, port }: Pick<RunningSystem, 'host' | 'port'>): Call {
  return async (method, path, body, token = '') => {
    const answer = await fetch(`http://${host}:${port}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

/** A system with its first administrator. */
export type AdministeredSystem = Pick<RunningSystem, 'host' | 'port'> & {
  readonly credentials: Pick<RunningSystem['credentials'], 'admin'>;
};

/** A token of the system's first administrator. */
export async function administratorOf(system: AdministeredSystem): Promise<string> {
  const answer = await callerOf(system)('POST', '/auth/admin', system.credentials.admin);
  return (answer as { token: string }).token;
}
