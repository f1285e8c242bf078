// Rounds of a game that feeds a jackpot. Each round is in a journal before its contribution is sent: a crash or an outage
// in between loses no contribution and counts none twice.
//
//   node examples/sdk/play.mjs <base URL> <credentials file> <journal file> <number of rounds>
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { ContributionError, createPotstream } from '@potstream/sdk';

const [baseUrl, credentialsFile, journalFile, rounds] = process.argv.slice(2);
if (rounds === undefined) {
  console.error(
    'usage: node examples/sdk/play.mjs <base URL> <credentials file> <journal file> <number of rounds>',
  );
  process.exit(2);
}
const { service } = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const potstream = createPotstream({ baseUrl, credentials: service });

for (const contribution of unanswered()) await contribute(contribution);
for (let round = 0; round < Number(rounds); round += 1) {
  const contribution = {
    token: 'player-session',
    brand_id: 'demo:direct',
    player_id: 'ada',
    player_country: 'DE',
    base_wager: '0.50',
    currency: 'EUR',
    idempotency_key: randomUUID(),
  };
  journal({ sent: contribution });
  await contribute(contribution);
}

async function contribute(contribution) {
  const key = contribution.idempotency_key;
  try {
    const { replayed, win_amount, win_currency } = await potstream.contributeBySource('slot-1', contribution);
    journal({ answered: key });
    console.log(`${replayed ? 'applied before' : 'applied'}: ${key} won ${win_amount} ${win_currency}`);
  } catch (error) {
    if (!(error instanceof ContributionError)) throw error;
    // What may have been applied stays in the journal, and the next start sends it again with its key.
    if (error.outcome === 'not_applied') journal({ answered: key });
    console.log(`${error.outcome}: ${key} ${error.code}`);
  }
}

function journal(entry) {
  appendFileSync(journalFile, `${JSON.stringify(entry)}\n`);
}

function unanswered() {
  const lines = existsSync(journalFile) ? readFileSync(journalFile, 'utf8').split('\n') : [];
  const open = new Map();
  for (const { sent, answered } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (sent) open.set(sent.idempotency_key, sent);
    else open.delete(answered);
  }
  return open.values();
}
