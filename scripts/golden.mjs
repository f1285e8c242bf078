// `node scripts/golden.mjs`: makes the golden log of the newest engine version anew, until that version is released: afterwards a
// change of what logged commands mean is a new version beside it. The logs of earlier versions stay as they are.
import { join } from 'node:path';
import { root, run, setUp } from './set-up.mjs';

await setUp();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const environment = { ...process.env, POTSTREAM_WRITE_GOLDEN: '1' };
process.exit(run(process.execPath, [vitest, 'run', 'test/jackpot/golden'], { env: environment }));
