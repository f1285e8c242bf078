import { fromHex } from './bytes.ts';
import { Disagreement } from './disagreement.ts';

/** Reads public JSON strictly: a member that the format does not name, or writes otherwise, is a fault. */
export type Members = Readonly<Record<string, unknown>>;

const maxU64 = (1n << 64n) - 1n;

export function objectAt(value: unknown, path: string, names: readonly string[]): Members {
  const members = anyObject(value, path);
  for (const name of names) if (!Object.hasOwn(members, name)) fault(path, `lacks ${name}`);
  for (const name of Object.keys(members)) {
    if (!names.includes(name)) fault(path, `has ${name}, which the format does not know`);
  }
  return members;
}

export function anyObject(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fault(path, 'is not an object');
  return value as Members;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) fault(path, 'is not a list');
  return value as readonly unknown[];
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') fault(path, 'is not a text');
  return value as string;
}

export function flagAt(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') fault(path, 'is neither true nor false');
  return value as boolean;
}

/** An integer from 0 to `max`. */
export function countAt(value: unknown, path: string, max: number = Number.MAX_SAFE_INTEGER): number {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
  if (!isCount || Object.is(value, -0)) fault(path, `is not an integer from 0 to ${max}`);
  return value as number;
}

/** A decimal text of atoms that fits 64 bits. */
export function atomsAt(value: unknown, path: string): bigint {
  if (typeof value !== 'string' || !/^(?:0|[1-9][0-9]{0,19})$/.test(value))
    fault(path, 'is not an amount of atoms');
  const atoms = BigInt(value as string);
  if (atoms > maxU64) fault(path, 'is beyond 64 bits');
  return atoms;
}

/** As `atomsAt`, of an account that may be negative and wide. */
export function balanceAt(value: unknown, path: string): bigint {
  if (typeof value !== 'string' || !/^(?:0|-?[1-9][0-9]{0,39})$/.test(value)) fault(path, 'is not a balance');
  return BigInt(value as string);
}

/** Lower-case hexadecimal of `length` bytes; null: of any number of them. */
export function bytesAt(value: unknown, path: string, length: number | null): Uint8Array {
  const isHex = typeof value === 'string' && value.length % 2 === 0 && /^[0-9a-f]*$/.test(value);
  if (!isHex) fault(path, 'is not lower-case hexadecimal');
  const bytes = fromHex(value as string);
  if (length !== null && bytes.length !== length) fault(path, `is not of ${length} bytes`);
  return bytes;
}

function fault(path: string, message: string): never {
  throw new Disagreement('document', `${path} ${message}`);
}
