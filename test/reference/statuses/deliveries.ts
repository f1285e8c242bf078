import type { Asking } from './asking.ts';
import { call } from './witnesses.ts';

const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-5000-8000-00000000000${index}`);

/** Deliveries that wait for a person, decided by one and, under the four-eyes rule of `rival`, proposed to another. */
export async function decideDeliveries(asking: Asking): Promise<void> {
  const { world } = asking;
  const flush = (flushId: string) => ({
    flushId,
    instance: 'flushed',
    endpoint: 'https://bank.example.com/in',
    accountId: 'a-1',
    amountAtoms: 1n,
    currency: 'EUR',
    openedMs: Date.now(),
  });
  await world.deliveries.add(0, ids[0]!, 'acme:main');
  await world.deliveries.add(1, ids[1]!, 'acme', flush(ids[1]!));
  await world.deliveries.add(2, ids[2]!, 'rival', flush(ids[2]!));
  const path = (index: number) => ({ path: { id: ids[index]! } });
  await call(asking, [
    ['POST /config/deliveries/{id}/resolve', 200, path(0)],
    ['POST /config/deliveries/{id}/resolve', 202, path(2)],
    ['POST /config/deliveries/{id}/replay', 200, path(1)],
    ['POST /config/deliveries/replay', 202, { headers: ['Idempotency-Key', 'replay'] }],
    ['POST /config/deliveries/replay', 204, { headers: ['Idempotency-Key', 'replay'] }],
  ]);
  world.deliveries.holdsReplays = true;
  await call(asking, [
    ['POST /config/deliveries/replay', 202, { headers: ['Idempotency-Key', 'held'] }],
    ['POST /config/deliveries/replay', 409, {}],
  ]);
}
