/** `npm run bench [-- NAME …]`: measures each row of the speed table beside its yardstick and prints Markdown. */
import { setV8Flags } from '../src/runtime/v8-flags.ts';
import { publish, type Row } from './lib/report.ts';

const rows: Readonly<Record<string, () => Promise<{ measure(): Promise<Row> }>>> = {
  engine: () => import('./rows/engine.ts'),
  'hot-instance': () => import('./rows/hot-instance.ts'),
  o8: () => import('./rows/o8.ts'),
  stream: () => import('./rows/stream.ts'),
  debits: () => import('./rows/debits.ts'),
  'dead-wallet': () => import('./rows/dead-wallet.ts'),
  epochs: () => import('./rows/epochs.ts'),
  lookups: () => import('./rows/lookups.ts'),
  lists: () => import('./rows/lists.ts'),
  administration: () => import('./rows/administration.ts'),
  neighbour: () => import('./rows/neighbour.ts'),
  recovery: () => import('./rows/recovery.ts'),
  failover: () => import('./rows/failover.ts'),
  hosts: () => import('./rows/hosts.ts'),
};

// What is measured in this process is measured as it runs in a role.
setV8Flags();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in rows));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench named ${unknown.join(', ')}. Known: ${Object.keys(rows).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const [name, load] of Object.entries(rows)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  const row = await (await load()).measure();
  process.stdout.write(`${publish(row)}\n`);
}
process.exit(0);
