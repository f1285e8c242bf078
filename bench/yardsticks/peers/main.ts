/**
 * What users would build instead of Potstream, as the yardsticks of the rows `peers` and `stream-peers`: the
 * requests and answers of O8 and of the contribution stream before a database. `node main.js KIND PORT
 * DATABASE_PORT TOKEN`; ends with its standard input.
 * They keep contributions durably, once for each key, with exact sums of pots and players. They know no wins,
 * seeds, limits, currencies, opt-ins, events, verifiable draws or double entry, and so do less than
 * Potstream.
 */
import { openPostgresBatches } from './postgres-batches.ts';
import { openPostgresTransactions } from './postgres-transactions.ts';
import { openRedisScript } from './redis-script.ts';
import { serve } from './server.ts';

const kinds = {
  'postgres-transactions': openPostgresTransactions,
  'postgres-batches': openPostgresBatches,
  'redis-script': openRedisScript,
};

const [kind, port, databasePort, token] = process.argv.slice(2) as [
  keyof typeof kinds,
  string,
  string,
  string,
];
const store = await kinds[kind](Number(databasePort));
await serve(store, token, Number(port));
process.stdin.on('end', () => process.exit(0)).resume();
process.stdout.write('listening\n');
