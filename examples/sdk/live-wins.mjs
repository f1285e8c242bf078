// Every win of up to 50 jackpots as it happens. After a lost connection it asks for what it missed.
//
//   node examples/sdk/live-wins.mjs <base URL> <credentials file> <number of wins>
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createPotstream } from '@potstream/sdk';
import WebSocket from 'ws';

const [baseUrl, credentialsFile, wins] = process.argv.slice(2);
if (wins === undefined) {
  console.error('usage: node examples/sdk/live-wins.mjs <base URL> <credentials file> <number of wins>');
  process.exit(2);
}
const { service } = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const potstream = createPotstream({ baseUrl, credentials: service });

const reconnectAfterMs = 1_000;
const refreshEveryMs = 2 * 60_000;
/** A subscription has 4 KiB. */
const maxInstances = 50;
/** The number of each instance's last win, 0 before its first one. */
const since = new Map();
let left = Number(wins);

while (left > 0) {
  await listen().catch((error) => console.log(`disconnected: ${error.message}`));
  if (left > 0) await pause(reconnectAfterMs);
}

async function listen() {
  const token = await potstream.token();
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/events/service?token=${token}`);
  const send = (message) => socket.send(JSON.stringify(message));
  // An open socket outlives its token only if it is given newer ones.
  const refresh = setInterval(() => {
    potstream.token().then(
      (newer) => send({ RefreshTokenRequest: { token: newer } }),
      () => socket.close(),
    );
  }, refreshEveryMs);
  try {
    await new Promise((resolve, reject) => {
      socket.on('open', () => send({ SubscribeRequest: { events: [subscription()] } }));
      socket.on('error', reject);
      socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
      // Nothing confirms a subscription but its first event.
      socket.once('message', () => console.log('subscribed'));
      socket.on('message', (frame) => {
        react(JSON.parse(frame));
        if (left === 0) resolve();
      });
    });
  } finally {
    clearInterval(refresh);
    socket.close();
  }
}

function subscription() {
  const missed = since.size === 0 ? {} : { since: Object.fromEntries(since) };
  return { source: 'jackpot', event_type: '*', ...missed };
}

function react({ event_type, instance_id, seq, data }) {
  if (event_type === 'JackpotUpdate') {
    if (data.recovered === false)
      console.log(`events of ${instance_id} are missing: read its winners over HTTP`);
    if (!since.has(instance_id) && since.size < maxInstances) since.set(instance_id, 0);
  }
  if (event_type !== 'WinEvent') return;
  if (since.has(instance_id)) since.set(instance_id, seq);
  left -= 1;
  console.log(`${instance_id}: ${data.player_id} won ${data.win_amount} ${data.currency}`);
}
