// `npm start`: everything that a fresh clone lacks, then `potstream up` in development mode, in this very process.
import { setUp } from './set-up.mjs';

await setUp();
const { start } = await import('../dist/program/start.cjs');
await start([process.execPath, 'potstream', 'up', '--development', ...process.argv.slice(2)]);
