import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';
import { repository } from './page.ts';

export interface Administrator {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
  call(method: string, path: string, body?: unknown): Promise<any>;
}

/** An administrator of the running system, whose calls must succeed. */
export async function administratorOf({ baseUrl, credentials }: RunningSystem): Promise<Administrator> {
  const logIn = () => loggedIn(`${baseUrl}/auth/admin`, credentials.admin);
  let token = await logIn();
  return {
    async call(method, path, body) {
      const send = () =>
        fetch(baseUrl + path, {
          method,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      let response = await send();
      // A long check outlives its token.
      if (response.status === 401) {
        token = await logIn();
        response = await send();
      }
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
  };
}

/** An instance of examples/every-time.json: every contribution wins. */
export function practiceInstance(administrator: Administrator): Promise<string> {
  const template = JSON.parse(readFileSync(join(repository, 'examples/every-time.json'), 'utf8'));
  return instanceOf(administrator, template, 'Practice');
}

export interface Template {
  readonly owner_id: string;
  readonly id: string;
}

/** An active instance of a template. */
export async function instanceOf(
  administrator: Administrator,
  template: Template,
  name: string,
): Promise<string> {
  const isThere = (error: unknown) => String(error).includes('already_exists');
  await administrator.call('POST', '/config/templates', template).catch((error: unknown) => {
    if (!isThere(error)) throw error;
  });
  const { owner_id, id: template_id } = template;
  const wanted = { template_owner_id: owner_id, template_id, owner_id, name };
  const { id } = await administrator.call('POST', '/config/instances', wanted);
  for (;;) {
    const change = { status: 'Active', reason: 'Practice' };
    const isActive = await administrator.call('POST', `/config/instances/${id}/status`, change).then(
      () => true,
      () => false,
    );
    if (isActive) return id;
    await pause(100);
  }
}
