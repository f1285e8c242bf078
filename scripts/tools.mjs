// Finds what the tests need beside packages and nats-server, and fetches what is missing. Prints the variables that name it, as JSON.
import { findChromium } from './chromium.mjs';
import { findPostgres } from './databases.mjs';
import { findDeployTools } from './deploy-tools.mjs';

const chromium = findChromium();
const found = {
  ...findDeployTools(),
  ...findPostgres(),
  ...(chromium === null ? {} : { POTSTREAM_CHROMIUM: chromium }),
};
process.stdout.write(JSON.stringify(found));
