/** Contributions whose texts are in memory at a time. */
const textsAtOnce = 4_000;

interface Counted {
  contributions: number;
  atoms: number;
}

/**
 * What any service does at least with a contribution: parses its JSON of some 300 bytes and adds it to its
 * player's sums in a Map. The texts are made outside the measured time. @returns contributions a second
 */
export function parseAndCount(contributions: number, players: number): number {
  const sums = new Map<string, Counted>();
  measure(sums, Math.min(300_000, contributions), players);
  const seconds = measure(sums, contributions, players);
  return Math.round(contributions / seconds);
}

function measure(sums: Map<string, Counted>, contributions: number, players: number): number {
  let nanoseconds = 0n;
  for (let made = 0; made < contributions; made += textsAtOnce) {
    const texts = Array.from({ length: Math.min(textsAtOnce, contributions - made) }, (_, index) =>
      textOf(made + index, players),
    );
    const begun = process.hrtime.bigint();
    for (const text of texts) count(sums, text);
    nanoseconds += process.hrtime.bigint() - begun;
  }
  return Number(nanoseconds) / 1e9;
}

function count(sums: Map<string, Counted>, text: string): void {
  const { player_id, base_wager } = JSON.parse(text) as { player_id: string; base_wager: number };
  const known = sums.get(player_id);
  if (known === undefined) {
    sums.set(player_id, { contributions: 1, atoms: base_wager });
    return;
  }
  known.contributions += 1;
  known.atoms += base_wager;
}

/** The body of an O8 request, as the load generator of the other rows sends it. */
function textOf(number: number, players: number): string {
  const dice = Math.imul(number, 0x9e3779b1) >>> 0;
  return JSON.stringify({
    token: 'session-of-the-load-generator',
    brand_id: 'bench:main',
    player_id: `player-${dice % players}`,
    player_country: 'DE',
    gameround_id: `round-of-the-load-generator-${number}`,
    base_wager: 1 + (dice % 50),
    currency: 'EUR',
    idempotency_key: `key-${String(number).padStart(32, '0')}`,
    metadata: { table: 'seven', shift: 'night' },
  });
}
