/**
 * One pass over the text of a body before JSON.parse, for what JSON.parse forgives (docs/rules/http.md "Bodies"):
 * depth, duplicate keys, `__proto__`, `-0`, and numbers that a double does not hold exactly. It does not
 * check the syntax: JSON.parse does, afterwards.
 */
export type ScanFault =
  | 'duplicate_json_key'
  | 'payload_too_deep'
  | 'invalid_request'
  | 'invalid_json'
  | 'amount_out_of_range';

export interface ScanResult {
  readonly fault: ScanFault | null;
  /** A number token has more than 15 significant digits. */
  readonly inexactNumber: boolean;
}

/** The body's own object and 16 levels of metadata inside it. */
export const maxNesting = 17;
const significantDigits = 15;
/** Keys of one object that are compared one by one; beyond that a set is cheaper. */
const comparedKeys = 24;

const exact: ScanResult = { fault: null, inexactNumber: false };
const inexact: ScanResult = { fault: null, inexactNumber: true };

/** Scratch space of the scan, which is synchronous: keys of the open objects, and where each object's begin. */
const keyHashes = new Int32Array(comparedKeys * (maxNesting + 1));
const keyStarts = new Int32Array(keyHashes.length);
const keyEnds = new Int32Array(keyHashes.length);
const keyCounts = new Int32Array(maxNesting + 1);
const isObject = new Uint8Array(maxNesting + 1);
const keySets: (Set<string> | null)[] = new Array(maxNesting + 1).fill(null);

export function scanBody(text: string): ScanResult {
  const length = text.length;
  let depth = 0;
  let isInexact = false;
  let position = 0;
  while (position < length) {
    const code = text.charCodeAt(position);
    if (code === 0x22) {
      const start = position + 1;
      position = start;
      let hash = 0;
      let escaped = false;
      for (; position < length; position += 1) {
        const character = text.charCodeAt(position);
        if (character === 0x22) break;
        if (character === 0x5c) {
          escaped = true;
          position += 1;
        }
        hash = (Math.imul(hash, 31) + character) | 0;
      }
      const end = position;
      position += 1;
      if (isObject[depth] === 1 && isFollowedByColon(text, position)) {
        const fault = scanKey(text, depth, start, end, hash, escaped);
        if (fault !== null) return refused(fault);
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxNesting) return refused('payload_too_deep');
      isObject[depth] = code === 0x7b ? 1 : 0;
      keyCounts[depth] = 0;
      keySets[depth] = null;
      position += 1;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth > 0) depth -= 1;
      position += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = position;
      position = endOfNumber(text, start);
      // Fifteen characters cannot hold more digits than that, and without a sign or an exponent nothing else is wrong.
      const isPlain = code !== 0x2d && position - start <= significantDigits;
      const fault = isPlain && !hasExponent ? null : numberFault(text.slice(start, position));
      if (fault === 'inexact') isInexact = true;
      else if (fault !== null) return refused(fault);
    } else {
      position += 1;
    }
  }
  return isInexact ? inexact : exact;
}

/**
 * Whether an inexact number of a body is more than an integer of 16 digits that a double counts exactly: as an amount that has too
 * many digits, too, but a limit or a count may be one. Slow, and seldom asked.
 */
export function losesDigits(text: string): boolean {
  return inexactTokens(text).some(
    (token) => !(/^-?[0-9]+$/.test(token) && Number.isSafeInteger(Number(token))),
  );
}

/** Whether a body has an inexact number beside this one, which is a count or a name and no amount. As slow. */
export function hasInexactBeside(text: string, exempt: number): boolean {
  const tokens = inexactTokens(text);
  return tokens.length > 1 || tokens[0] !== String(exempt);
}

function inexactTokens(text: string): string[] {
  const outsideTexts = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const tokens = [...outsideTexts.matchAll(/-?[0-9][0-9.eE+-]*/g)].map(([token]) => token);
  return tokens.filter((token) => numberFault(token) === 'inexact');
}

/** Set by endOfNumber. */
let hasExponent = false;

function endOfNumber(text: string, start: number): number {
  hasExponent = false;
  let position = start + 1;
  for (; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code >= 0x30 && code <= 0x39) continue;
    if (code === 0x65 || code === 0x45) hasExponent = true;
    else if (code !== 0x2e && code !== 0x2d && code !== 0x2b) break;
  }
  return position;
}

/** What is wrong with a number as JSON writes it. */
export function numberFault(token: string): ScanFault | 'inexact' | null {
  const match = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]+)?$/.exec(token);
  if (match === null) return 'invalid_json';
  const digits = `${match[1]}${match[2] ?? ''}`.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return token.startsWith('-') ? 'invalid_request' : null;
  const value = Number(token);
  if (digits.length > significantDigits) return 'inexact';
  if (!Number.isFinite(value)) return 'amount_out_of_range';
  // A zero from non-zero digits: the number is finer than any amount.
  return value === 0 ? 'inexact' : null;
}

function isFollowedByColon(text: string, from: number): boolean {
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 0x3a) return true;
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false;
  }
  return false;
}

function scanKey(
  text: string,
  depth: number,
  start: number,
  end: number,
  hash: number,
  escaped: boolean,
): ScanFault | null {
  if (end - start === 9 && text.startsWith('__proto__', start)) return 'invalid_request';
  const count = keyCounts[depth]!;
  keyCounts[depth] = count + 1;
  if (escaped || keySets[depth] !== null || count >= comparedKeys) {
    return scanKeyIntoSet(text, depth, start, end, Math.min(count, comparedKeys));
  }
  const base = depth * comparedKeys;
  for (let index = base; index < base + count; index += 1) {
    if (keyHashes[index] !== hash) continue;
    if (text.slice(keyStarts[index], keyEnds[index]) === text.slice(start, end)) return 'duplicate_json_key';
  }
  keyHashes[base + count] = hash;
  keyStarts[base + count] = start;
  keyEnds[base + count] = end;
  return null;
}

function scanKeyIntoSet(
  text: string,
  depth: number,
  start: number,
  end: number,
  compared: number,
): ScanFault | null {
  let keys = keySets[depth] ?? null;
  if (keys === null) {
    keys = new Set();
    const base = depth * comparedKeys;
    for (let index = base; index < base + compared; index += 1) {
      keys.add(text.slice(keyStarts[index], keyEnds[index]));
    }
    keySets[depth] = keys;
  }
  const key = decodedKey(text.slice(start, end));
  if (key === null) return 'invalid_json';
  if (key === '__proto__') return 'invalid_request';
  if (keys.has(key)) return 'duplicate_json_key';
  keys.add(key);
  return null;
}

function decodedKey(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return null;
  }
}

function refused(fault: ScanFault): ScanResult {
  return { fault, inexactNumber: false };
}
