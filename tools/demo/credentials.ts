import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeJsonFile } from '../../src/files/json-file.ts';

/**
 * `<data>/credentials.json` (docs/rules/operating.md "Files"); the members below are complete once the demo
 * is seeded.
 */
const playersShape = z.array(z.object({ player_id: z.string(), token: z.string(), currency: z.string() }));

const credentialsShape = z.looseObject({
  base_url: z.string(),
  admin: z.object({ username: z.string(), password: z.string() }),
  service: z.object({ username: z.string(), password: z.string() }).nullish(),
  players: playersShape.nullish(),
  players_of_other_brands: playersShape.nullish(),
});

export type Credentials = z.infer<typeof credentialsShape>;

export interface DemoCredentials {
  readonly service: { readonly username: string; readonly password: string };
  readonly operator_id: string;
  readonly brand_id: string;
  readonly wallet_url: string | null;
  /** The players of that brand. */
  readonly players: readonly DemoPlayerCredentials[];
  readonly players_of_other_brands: readonly (DemoPlayerCredentials & { readonly brand_id: string })[];
}

export interface DemoPlayerCredentials {
  readonly player_id: string;
  readonly token: string;
  readonly currency: string;
}

/** Null while the file is not there yet. */
export async function readCredentials(dataDirectory: string): Promise<Credentials | null> {
  try {
    return credentialsShape.parse(JSON.parse(await readFile(pathOf(dataDirectory), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Adds the demo's members to what is in the file now; readers see the old file or the new one, never half of
 * it.
 */
export async function completeCredentials(dataDirectory: string, demo: DemoCredentials): Promise<void> {
  const present = (await readCredentials(dataDirectory)) ?? {};
  writeJsonFile(pathOf(dataDirectory), { ...present, ...demo });
}

/** 24 random bytes as text: a password or a player's token. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function pathOf(dataDirectory: string): string {
  return join(dataDirectory, 'credentials.json');
}
