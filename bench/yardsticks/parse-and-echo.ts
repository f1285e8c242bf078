/**
 * The yardstick of the row `stream`: a Node HTTP server that parses each line of a long request and answers
 * with a line that has its ref and a fixed result. It checks, stores and computes nothing.
 */
import { createServer } from 'node:http';

interface Line {
  readonly ref: unknown;
  readonly source: { readonly id: string };
  readonly base_wager: { readonly currency: string };
  readonly metadata: unknown;
}

const server = createServer({ requestTimeout: 0 }, (request, response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  let rest = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() as string;
    let text = '';
    for (const line of lines) text += `${JSON.stringify(resultOf(JSON.parse(line) as Line))}\n`;
    if (text !== '' && !response.write(text)) {
      request.pause();
      response.once('drain', () => request.resume());
    }
  });
  request.on('end', () => response.end());
  request.on('error', () => {});
});

function resultOf({ ref, source, base_wager, metadata }: Line): object {
  const result = {
    instance_id: 'an-instance-of-the-yardstick',
    timestamp: 1_700_000_000_000,
    gameround_id: source.id,
    win_amount: 0,
    win_pot_id: null,
    tickets_awarded: 0,
    win_withheld: false,
    contribution_currency: base_wager.currency,
    contribution_amount: 0.01,
    bonus_amount_used: 0,
    metadata,
  };
  return { ref, results: [result] };
}

server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
