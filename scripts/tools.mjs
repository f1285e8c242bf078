// Finds what the tests need beside packages and nats-server, and fetches what is missing. Prints the variables that name it, as JSON.
import { findBalancers } from './balancers.mjs';
import { findChromium } from './chromium.mjs';

const chromium = findChromium();
const found = { ...findBalancers(), ...(chromium === null ? {} : { POTSTREAM_CHROMIUM: chromium }) };
process.stdout.write(JSON.stringify(found));
