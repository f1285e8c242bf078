import type { Server } from '@nats-io/nats-core';
import { staysConnected } from '../roles/permissions.ts';
import type { LogSettings } from '../roles/settings.ts';

/**
 * At which of several nats-servers the connections of a process are. They share one server as far as they
 * can: a process whose connections are at both sides of a broken path between servers would work by half.
 */
export class ServerChoice {
  #current: string | null = null;

  /** The connections that leave a server go to one of these, the same for all. */
  prefer(servers: readonly string[]): void {
    if (this.#current === null || !servers.includes(this.#current)) this.#current = servers[0] ?? null;
  }

  /** For one connection: takes the server for each of its attempts, never the one that has just failed it. */
  dialer(): (pool: readonly Server[]) => Server | null {
    let tried: string | null = null;
    return (pool) => {
      const others = pool.filter(({ listen }) => listen !== tried);
      const chosen = others.find(({ listen }) => listen === this.#current) ?? others[0] ?? pool[0] ?? null;
      if (chosen === null) return null;
      this.#current = chosen.listen;
      tried = chosen.listen;
      return chosen;
    };
  }
}

const choices = new Map<string, ServerChoice>();

/** One choice for each role and list of servers; null: one server only, or a command. */
export function choiceOf({ role, servers }: LogSettings): ServerChoice | null {
  if (role === undefined || servers.length === 1 || !staysConnected(role)) return null;
  const key = [role, ...servers].join(' ');
  const choice = choices.get(key) ?? new ServerChoice();
  choices.set(key, choice);
  return choice;
}
