import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** The operator awards the pot of an external jackpot (A30). */
export async function award(system: RunningSystem, name: string, player: string): Promise<void> {
  const token = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  const found = (await call(system, 'GET', '/config/instances?owner_id=demo', undefined, token)) as {
    readonly id: string;
    readonly name: string;
    readonly pots: readonly { readonly id: string }[];
  }[];
  const instance = found.find((one) => one.name === name);
  if (instance === undefined) throw new Error(`There is no jackpot ${name}.`);
  const pot = instance.pots[0]?.id;
  const body = {
    instance_id: instance.id,
    pot_id: pot,
    brand_id: 'demo:main',
    player_id: player,
    source_id: 'sportsbook',
  };
  await call(system, 'POST', `/config/instances/${instance.id}/pots/${pot}/trigger`, body, token);
}

async function call(
  system: RunningSystem,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<unknown> {
  const answer = await fetch(`${system.baseUrl}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
