/**
 * `npm run bench [-- NAME …] [--seconds N] [--json]`: measures each row of the speed table beside its
 * yardstick and prints Markdown, or a line of JSON. `--seconds` is for rows that measure for long: `tails`.
 */
import { parseArgs } from 'node:util';
import { setV8Flags } from '../src/runtime/v8-flags.ts';
import { publish, type Row, type RowOptions } from './lib/report.ts';

const rows: Readonly<Record<string, () => Promise<{ measure(options: RowOptions): Promise<Row> }>>> = {
  engine: () => import('./rows/engine.ts'),
  'hot-instance': () => import('./rows/hot-instance.ts'),
  o8: () => import('./rows/o8.ts'),
  tails: () => import('./rows/tails.ts'),
  clients: () => import('./rows/clients.ts'),
  timeline: () => import('./rows/timeline.ts'),
  stream: () => import('./rows/stream.ts'),
  debits: () => import('./rows/debits.ts'),
  'debit-batches': () => import('./rows/debit-batches.ts'),
  'dead-wallet': () => import('./rows/dead-wallet.ts'),
  epochs: () => import('./rows/epochs.ts'),
  lookups: () => import('./rows/lookups.ts'),
  lists: () => import('./rows/lists.ts'),
  administration: () => import('./rows/administration.ts'),
  neighbour: () => import('./rows/neighbour.ts'),
  recovery: () => import('./rows/recovery.ts'),
  failover: () => import('./rows/failover.ts'),
  hosts: () => import('./rows/hosts.ts'),
  growth: () => import('./rows/growth.ts'),
  feeds: () => import('./rows/feeds.ts'),
  // Last: they need databases, which a machine may lack.
  books: () => import('./rows/books.ts'),
  peers: () => import('./rows/peers.ts'),
  'stream-peers': () => import('./rows/stream-peers.ts'),
};

/** Half an hour: not with all others. */
const onlyByName: ReadonlySet<string> = new Set(['tails']);

const usage = `potstream bench [NAME …] [--seconds N] [--json], or npm run bench -- NAME …
NAME: ${Object.keys(rows).join(', ')}`;

// What is measured in this process is measured as it runs in a role.
setV8Flags();
const { positionals: wanted, values } = commandLine();
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0)) {
  refuse('--seconds is a whole number of seconds.');
}
const unknown = wanted.filter((name) => !(name in rows));
if (unknown.length > 0) refuse(`There is no bench named ${unknown.join(', ')}.`);
for (const [name, load] of Object.entries(rows)) {
  if (wanted.length > 0 ? !wanted.includes(name) : onlyByName.has(name)) continue;
  process.stderr.write(`${name} …\n`);
  const row = await (await load()).measure({ seconds });
  const { markdown, json } = publish(row);
  process.stdout.write(`${values.json ? json : markdown}\n`);
}
process.exit(0);

function commandLine() {
  const options = {
    seconds: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n${usage}\n`);
  process.exit(2);
}
