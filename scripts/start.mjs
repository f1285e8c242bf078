// `npm start`: everything that a fresh clone lacks, then `potstream up` in development mode, in this very process.
import { setUp } from './set-up.mjs';

setUp();
const { main } = await import('../dist/program/main.js');
await main([process.execPath, 'potstream', 'up', '--development', ...process.argv.slice(2)]);
