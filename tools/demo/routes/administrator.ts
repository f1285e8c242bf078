import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** The administrator whom `potstream up` made; null: the file has no password any more. */
export type DemoAdministrator = () => { readonly username: string; readonly password: string } | null;

const shape = z.looseObject({ admin: z.object({ username: z.string(), password: z.string() }).nullish() });

/** Reads `<data>/credentials.json` anew each time: a log-in is rare. */
export function demoAdministrator(credentialsPath: string): DemoAdministrator {
  return () => {
    if (statSync(credentialsPath, { throwIfNoEntry: false }) === undefined) return null;
    return shape.parse(JSON.parse(readFileSync(credentialsPath, 'utf8'))).admin ?? null;
  };
}
