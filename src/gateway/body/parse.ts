import { isUtf8 } from 'node:buffer';
import { PublicError } from '../errors.ts';
import { scanBody } from './scan.ts';

export interface ParsedBody {
  readonly value: unknown;
  /** A number token had more than 15 significant digits: refused where amounts are read. */
  readonly inexactNumber: boolean;
}

/** The JSON value of a body's bytes. @throws PublicError */
export function parseBody(bytes: Buffer): ParsedBody {
  if (!isUtf8(bytes)) throw new PublicError('invalid_json');
  return parseText(bytes.toString('utf8'));
}

/** The JSON value of a text. @throws PublicError */
export function parseText(text: string): ParsedBody {
  const scan = scanBody(text);
  if (scan.fault !== null) throw new PublicError(scan.fault);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PublicError('invalid_json');
  }
  return { value, inexactNumber: scan.inexactNumber };
}
