import { JsonText } from '../../lib/json.ts';

/**
 * What one pass over a body's text finds that JSON.parse forgives (docs/rules/http.md "Bodies"): depth,
 * duplicate keys, `__proto__`, and, outside metadata, `-0` and numbers that are not finite.
 */
type ScanFault =
  | 'duplicate_json_key'
  | 'payload_too_deep'
  | 'invalid_request'
  | 'invalid_json'
  | 'amount_out_of_range';

/** Where the value stands of a member that goes back to its caller, or to others, as it was written. */
interface OpaqueMember {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface ScanResult {
  readonly fault: ScanFault | null;
  readonly opaque: readonly OpaqueMember[];
}

/** Metadata, and what is inside an event of another platform. */
const opaqueNames: readonly string[] = ['metadata', 'event_metadata', 'data'];
/** The body's own object and 16 levels of metadata inside it. */
export const maxNesting = 17;
/** This many characters without a sign and an exponent are a finite number. */
const surelyFinite = 300;
/** Keys of one object that are compared one by one; beyond that a set is cheaper. */
const comparedKeys = 24;

const nothingOpaque: readonly OpaqueMember[] = [];
const clean: ScanResult = { fault: null, opaque: nothingOpaque };

/** Scratch space of the scan, which is synchronous: keys of the open objects. */
const keyHashes = new Int32Array(comparedKeys * (maxNesting + 1));
const keyStarts = new Int32Array(keyHashes.length);
const keyEnds = new Int32Array(keyHashes.length);
const keyCounts = new Int32Array(maxNesting + 1);
const isObject = new Uint8Array(maxNesting + 1);
const keySets: (Set<string> | null)[] = new Array(maxNesting + 1).fill(null);

export function scanBody(text: string): ScanResult {
  const length = text.length;
  let depth = 0;
  let position = 0;
  let opaque: OpaqueMember[] | null = null;
  let opaqueName: string | null = null;
  let opaqueFrom = 0;
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
        if (depth === 1) {
          opaqueName = opaqueNameOf(text, start, end, escaped);
          opaqueFrom = text.indexOf(':', position) + 1;
        }
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxNesting) return refused('payload_too_deep');
      isObject[depth] = code === 0x7b ? 1 : 0;
      keyCounts[depth] = 0;
      keySets[depth] = null;
      position += 1;
    } else if (code === 0x7d || code === 0x5d || code === 0x2c) {
      if (depth === 1 && opaqueName !== null) {
        opaque ??= [];
        opaque.push({ name: opaqueName, from: opaqueFrom, to: position });
        opaqueName = null;
      }
      if (depth > 0 && code !== 0x2c) depth -= 1;
      position += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = position;
      position = endOfNumber(text, start);
      const isPlain = code !== 0x2d && !hasExponent && position - start < surelyFinite;
      const fault = isPlain || opaqueName !== null ? null : numberFault(text.slice(start, position));
      if (fault !== null) return refused(fault);
    } else {
      position += 1;
    }
  }
  return opaque === null ? clean : { fault: null, opaque };
}

/** The members of a value that are opaque, as they stand in its text. */
export function keepOpaque(value: unknown, text: string, { opaque }: ScanResult): void {
  for (const { name, from, to } of opaque) {
    const members = value as Record<string, unknown>;
    if (members[name] !== null) members[name] = new JsonText(withoutSpaces(text.slice(from, to)));
  }
}

const space = /[ \t\n\r]/;
const textOrSpaces = /"[^"\\]*(?:\\.[^"\\]*)*"|[ \t\n\r]+/g;

/** JSON without its insignificant white space. */
function withoutSpaces(json: string): string {
  return space.test(json)
    ? json.replace(textOrSpaces, (token) => (token.startsWith('"') ? token : ''))
    : json;
}

function opaqueNameOf(text: string, start: number, end: number, escaped: boolean): string | null {
  if (escaped) {
    const key = decodedKey(text.slice(start, end));
    return key !== null && opaqueNames.includes(key) ? key : null;
  }
  for (const name of opaqueNames)
    if (name.length === end - start && text.startsWith(name, start)) return name;
  return null;
}

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

function numberFault(token: string): ScanFault | null {
  const value = Number(token);
  if (Object.is(value, -0)) return 'invalid_request';
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
    ? 'amount_out_of_range'
    : null;
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
  return { fault, opaque: nothingOpaque };
}
