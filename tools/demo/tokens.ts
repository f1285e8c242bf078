import { type Api, DemoRefused } from './api.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** POST /auth/admin. */
export function adminToken(api: Api, admin: Login): Promise<string> {
  return login(api, '/auth/admin', admin);
}

/**
 * One token of the service user for all contributions, renewed once for all callers when it is refused (O25).
 */
export function createServiceToken(api: Api, service: Login): (refused?: string) => Promise<string> {
  let current: Promise<string> | null = null;
  let newest: string | null = null;
  return async (refused) => {
    if (current === null || (refused !== undefined && refused === newest)) {
      newest = null;
      current = login(api, '/v1/auth/service', service);
      current.then(
        (token) => {
          newest = token;
        },
        () => {
          current = null;
        },
      );
    }
    return current;
  };
}

async function login(api: Api, path: string, { username, password }: Login): Promise<string> {
  const answer = await api.call('POST', path, { username, password });
  if (answer.status !== 200) throw new DemoRefused('POST', path, answer);
  return (answer.body as { token: string }).token;
}
