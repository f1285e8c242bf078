import { expect, test } from 'vitest';
import { openStore } from '../../../src/reporting/store/open.ts';
import { isPostgresMissing, startTestPostgres } from '../../support/postgres.ts';
import { batchTo } from '../support/batches.ts';
import { systemId } from '../support/places.ts';

test.skipIf(isPostgresMissing())(
  'a database that is away is an outage, before and while it is open',
  async () => {
    const server = await startTestPostgres();
    const url = await server.database();
    const store = await openStore({ url }, systemId);
    await store.write(batchTo(1, -1));
    await server.stop();
    const away = { code: 'reporting_unavailable', retryable: true };
    await expect(store.write(batchTo(2, 1))).rejects.toMatchObject(away);
    await expect(store.position(0)).rejects.toMatchObject(away);
    await expect(openStore({ url }, systemId)).rejects.toMatchObject(away);
    await store.close();
  },
);
