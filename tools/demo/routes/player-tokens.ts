import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** The token of a demo player, where the player's brand has a wallet. */
export type DemoToken = (player: string) => string | null;

const players = z.array(z.object({ player_id: z.string(), token: z.string() })).nullish();
const shape = z.looseObject({ players, players_of_other_brands: players });

/** Reads `<data>/credentials.json`, again whenever it has changed; the demo writes it. */
export function demoTokens(credentialsPath: string): DemoToken {
  let readMs = 0;
  let tokens = new Map<string, string>();
  return (player) => {
    const changedMs = statSync(credentialsPath, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedMs !== readMs) {
      tokens = changedMs === 0 ? new Map() : readTokens(credentialsPath);
      readMs = changedMs;
    }
    return tokens.get(player) ?? null;
  };
}

function readTokens(path: string): Map<string, string> {
  const read = shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  const all = [...(read.players ?? []), ...(read.players_of_other_brands ?? [])];
  return new Map(all.map(({ player_id, token }) => [player_id, token]));
}
