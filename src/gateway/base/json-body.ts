import { isUtf8 } from 'node:buffer';
import type { JsonText } from '../../lib/json.ts';
import { PublicError } from './errors.ts';
import { keepOpaque, scanBody } from './scan-body.ts';

/** The JSON value of a body's bytes; its metadata is a JsonText. @throws PublicError */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new PublicError('invalid_json');
  return parseText(bytes.toString('utf8'));
}

/** The same of a text. @throws PublicError */
export function parseText(text: string): unknown {
  const scan = scanBody(text);
  if (scan.fault !== null) throw new PublicError(scan.fault);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PublicError('invalid_json');
  }
  keepOpaque(value, text, scan);
  return value;
}

/** Metadata that is a text of its own, checked as a body's; null: it is `null`. @throws PublicError */
export function parseMetadata(json: string): JsonText | null {
  const { metadata, ...others } = parseText(`{"metadata":${json}}`) as { readonly metadata: JsonText | null };
  // A member after it would be a second value.
  if (Object.keys(others).length > 0) throw new PublicError('invalid_json');
  return metadata;
}
