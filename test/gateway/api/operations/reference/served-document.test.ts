import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ServedDocument } from '../../../../../src/gateway/api/operations/reference/served-document.ts';

const text = JSON.stringify({ many: Array.from({ length: 500 }, (_, index) => `ünit ${index}`) });
const document = new ServedDocument(text);
const ask = async (headers: Readonly<Record<string, string>>) => {
  const { status, headers: flat = [], bytes } = await document.reply({ headers });
  const named = Object.fromEntries(flat.flatMap((each, at) => (at % 2 === 0 ? [[each, flat[at + 1]!]] : [])));
  return { status, bytes, headers: named };
};

describe('a document', () => {
  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const)('asked for with %s comes as %s', async (accepted, coding, decode) => {
    const { bytes, headers } = await ask({ 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'Content-Encoding': coding, Vary: 'Accept-Encoding, Origin' });
    expect(decode(bytes!).toString()).toBe(text);
  });

  it.each([{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'zstd' }])(
    'comes as it is without a coding that we have: %j',
    async (headers) => {
      const answer = await ask(headers);
      expect(answer.headers['Content-Encoding']).toBeUndefined();
      expect(answer.bytes!.toString()).toBe(text);
    },
  );

  it('is not sent again to who has it in the same coding', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    const etag = headers.ETag!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask({ 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.status, again.bytes]).toEqual([304, undefined]);
    }
    expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200);
  });
});
