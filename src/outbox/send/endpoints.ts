import type { AddressCheck } from '../../outbound/checked-addresses.ts';
import { EndpointClient } from '../../outbound/endpoint-client.ts';
import type { Clock } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';

interface Used {
  readonly client: EndpointClient;
  usedMs: number;
}

/** Clients of hosts, one for each origin. Those that nothing is sent to end. */
export class Endpoints {
  readonly #addresses: AddressCheck;
  readonly #clock: Clock;
  readonly #clients = new Map<string, Used>();
  #cancel: (() => void) | null = null;

  constructor(addresses: AddressCheck, clock: Clock) {
    this.#addresses = addresses;
    this.#clock = clock;
  }

  of(origin: string): EndpointClient {
    const nowMs = this.#clock.elapsedMs();
    const known = this.#clients.get(origin);
    if (known !== undefined) {
      known.usedMs = nowMs;
      return known.client;
    }
    const client = new EndpointClient(
      origin,
      {
        connections: outboxLimits.connectionsPerHost,
        restMs: outboxLimits.restMs,
        exchangeTimeoutMs: outboxLimits.tryTimeoutMs,
        idleMs: outboxLimits.keepAliveMs,
        connectionLifeMs: outboxLimits.connectionLifeMs,
        answerBytes: outboxLimits.answerBytes,
      },
      this.#addresses,
    );
    this.#clients.set(origin, { client, usedMs: nowMs });
    this.#cancel ??= this.#clock.after(outboxLimits.unusedHostMs, () => this.#endUnused());
    return client;
  }

  async close(): Promise<void> {
    this.#cancel?.();
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(({ client }) => client.close()));
  }

  #endUnused(): void {
    this.#cancel = null;
    const beforeMs = this.#clock.elapsedMs() - outboxLimits.unusedHostMs;
    for (const [origin, { client, usedMs }] of this.#clients) {
      if (usedMs > beforeMs) continue;
      this.#clients.delete(origin);
      // Nothing is under way on it.
      client.close().catch(() => {});
    }
    if (this.#clients.size > 0)
      this.#cancel = this.#clock.after(outboxLimits.unusedHostMs, () => this.#endUnused());
  }
}
