// The part of a brand's wallet that says whose a player's session is (W1). The calls that move money, W2 to W5, are in
// docs/integrate-wallet.md.
//
//   node examples/sdk/wallet.mjs <port> <bearer key> <HMAC secret>
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { verifyServerAuthorization } from '@potstream/sdk';

const [port, bearerKey, hmacSecret] = process.argv.slice(2);
if (hmacSecret === undefined) {
  console.error('usage: node examples/sdk/wallet.mjs <port> <bearer key> <HMAC secret>');
  process.exit(2);
}
const maxBodyBytes = 64 * 1024;

/** In a real wallet: from the database of sessions. */
const sessions = new Map([['session-of-ada', { id: 'ada', currency: 'EUR', balance: 100, country: 'DE' }]]);

createServer(async (request, response) => {
  const rawBody = await bodyOf(request);
  const isGenuine =
    rawBody !== null &&
    isSame(request.headers.authorization ?? '', `Bearer ${bearerKey}`) &&
    verifyServerAuthorization(rawBody, request.headers['x-server-authorization'], hmacSecret);
  if (!isGenuine) return answer(response, 401, error(401, 'unauthenticated'));
  if (request.url !== '/authenticate') return answer(response, 404, error(404, 'route_not_found'));
  const { operator_id, brand_id, player_token } = JSON.parse(rawBody);
  const player = sessions.get(player_token);
  console.log(`asked about a session: ${player === undefined ? 'unknown' : player.id}`);
  // A 404 with this body is a refusal for good. After anything else Potstream asks again.
  if (player === undefined) return answer(response, 404, error(404, 'player_token_invalid'));
  answer(response, 200, { ...player, operator_id, brand_id });
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));

/** The bytes as they came, which are what is signed; null: too many. */
async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function error(status_code, code) {
  return { status_code, code, message: 'Refused.' };
}

function isSame(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
