// A part of `npm run matrix`: follows a public feed with @potstream/client, in the runtime that runs this file. Ends with 0
// once a value came. Usage: matrix-client.mjs <address of the service> <operator_id/brand_id>
import process from 'node:process';
import { connect } from '../client/dist/index.js';

const patienceMs = 30_000;
const [url, brand] = process.argv.slice(2);
const feed = connect({ url, brand });
feed.on('error', ({ code, reason }) => console.error(`error ${code} ${reason}`));
feed.on('update', () => process.exit(feed.state === 'live' ? 0 : 1));
setTimeout(() => process.exit(1), patienceMs);
