import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { Reply } from '../../../base/reply.ts';
import type { OperationRequest } from '../../operation/operation.ts';

type Coding = 'br' | 'gzip' | 'identity';

/** By far the most of what the best one saves, in a hundredth of its time. */
const brotliQuality = 5;

/** A document that does not change: compressed as callers take it, and sent once to each that keeps it. */
export class ServedDocument {
  readonly #text: string;
  readonly #digest: string;
  readonly #encoded = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.#text = text;
    this.#digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  }

  async reply({ headers }: Pick<OperationRequest, 'headers'>): Promise<Reply> {
    const coding = codingFor(headers['accept-encoding']);
    const tag = `"${this.#digest}-${coding}"`;
    const own = ['Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding, Origin', 'ETag', tag];
    if (isNamed(tag, headers['if-none-match'])) return { status: 304, headers: own };
    if (coding !== 'identity') own.push('Content-Encoding', coding);
    return { status: 200, headers: own, bytes: await this.#bytes(coding) };
  }

  #bytes(coding: Coding): Promise<Buffer> {
    const known = this.#encoded.get(coding) ?? encoded(this.#text, coding);
    this.#encoded.set(coding, known);
    return known;
  }
}

async function encoded(text: string, coding: Coding): Promise<Buffer> {
  const bytes = Buffer.from(text);
  if (coding === 'identity') return bytes;
  if (coding === 'gzip') return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}

type Field = string | readonly string[] | undefined;

function codingFor(accepted: Field): Coding {
  if (typeof accepted !== 'string') return 'identity';
  return negotiate(accepted, ['br', 'gzip', 'identity']) ?? 'identity';
}

/** Whether the caller has what the tag stands for. */
export function isNamed(tag: string, ifNoneMatch: Field): boolean {
  if (typeof ifNoneMatch !== 'string') return false;
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}
