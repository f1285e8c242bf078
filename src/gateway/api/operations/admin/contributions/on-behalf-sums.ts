import * as z from 'zod';
import { untilWon } from '../../../../../access/accounts/table-turns.ts';
import { encodeForeignId } from '../../../../../contracts/directory/directory-keys.ts';
import { stored } from '../../../../base/stored.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** What an administrator contributes for players to an instance within this time counts together. */
const countedMs = 86_400_000;
/** Beyond it the two oldest become one of the later time, which counts for longer than it must. */
const maxParts = 100;

/** What an administrator has contributed to an instance, the oldest first, in the jackpot's currency. */
const sums = z.strictObject({
  v: z.literal(1),
  parts: z.array(z.strictObject({ at: z.int(), atoms: z.string().regex(/^[0-9]+$/) })),
});
type Parts = z.output<typeof sums>['parts'];

/** A part of what an administrator may contribute alone. */
export interface Reservation {
  readonly instance: string;
  readonly user: string;
  readonly atMs: number;
  readonly atoms: bigint;
}

/**
 * Counts a contribution before it is sent, with compare-and-set in KV DIRECTORY. False: the sum would be
 * above the limit, and nothing is counted.
 */
export async function reserve(
  context: GatewayContext,
  { instance, user, atMs, atoms }: Reservation,
  limitAtoms: bigint,
): Promise<boolean> {
  return change(context, instance, user, (parts) => {
    const recent = parts.filter(({ at }) => at > atMs - countedMs);
    const sum = recent.reduce((all, part) => all + BigInt(part.atoms), atoms);
    return sum > limitAtoms ? null : merged([...recent, { at: atMs, atoms: String(atoms) }]);
  });
}

/** Takes back what was counted for a contribution that was certainly not made. */
export async function release(
  context: GatewayContext,
  { instance, user, atMs, atoms }: Reservation,
): Promise<void> {
  await change(context, instance, user, (parts) => {
    const index = parts.findIndex((part) => part.at === atMs && part.atoms === String(atoms));
    return index < 0 ? null : parts.filter((_, at) => at !== index);
  });
}

function merged(parts: Parts): Parts {
  const [first, second, ...others] = parts;
  if (parts.length <= maxParts || first === undefined || second === undefined) return parts;
  const atoms = String(BigInt(first.atoms) + BigInt(second.atoms));
  return [{ at: Math.max(first.at, second.at), atoms }, ...others];
}

function change(
  { tables: { directory: table }, directoryTurns }: GatewayContext,
  instance: string,
  user: string,
  next: (parts: Parts) => Parts | null,
): Promise<boolean> {
  // No reader of the directory knows the kind.
  const key = `byhand.${instance}.${encodeForeignId(user)}`;
  const attempt = async (): Promise<boolean | undefined> => {
    const present = await table.get(key);
    const parts = next(present === null ? [] : read(present.value));
    if (parts === null) return false;
    const value = Buffer.from(JSON.stringify({ v: 1, parts }), 'utf8');
    return (await table.put(key, value, present?.revision ?? 0)) === null ? undefined : true;
  };
  return stored(() => directoryTurns.run(key, () => untilWon(attempt)));
}

function read(bytes: Uint8Array): Parts {
  return sums.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).parts;
}
