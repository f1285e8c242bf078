import { expect, it } from 'vitest';
import {
  certificateIn,
  certificateText,
  checksText,
  isOfAnotherAddress,
} from '../../console/src/screens/access/certificate.ts';

const certificate = {
  base_url: 'https://wallet.example',
  certified: false,
  verified_timestamp: 1_700_000_000_000,
  version: '1.2.3',
  passed: 58,
  failed: ['w2.unknown', 'http.error-shape'],
  skipped: ['w1.token-expired'],
  recorded_by: '=ada',
  recorded_timestamp: 1_700_000_001_000,
};

it('says which checks passed and which did not', () => {
  expect(checksText(certificate)).toBe(
    '58 checks of version 1.2.3 passed; failed: w2.unknown, http.error-shape; skipped: w1.token-expired',
  );
  expect(checksText({ ...certificate, failed: [], skipped: [] })).toBe('58 checks of version 1.2.3 passed');
});

it('is exported with its date, its recorder, and that it is of another address', () => {
  const here = { base_url: 'https://wallet.example', certificate };
  const there = { base_url: 'https://other.example', certificate };
  const none = { base_url: 'https://other.example', certificate: null };
  expect([here, there, none].map(isOfAnotherAddress)).toEqual([false, true, false]);
  const text = `failed 2023-11-14T22:13:20.000Z; recorded by =ada; ${checksText(certificate)}`;
  expect(certificateText(here)).toBe(text);
  expect(certificateText(there)).toBe(`${text}; of another address: https://wallet.example`);
  expect(certificateText(none)).toBe('');
});

it('is read from the file of the checks, and from no other', async () => {
  const { certified: _, ...written } = certificate;
  expect(await certificateIn(new Blob([JSON.stringify(written)]))).toEqual(written);
  const large = JSON.stringify({ ...written, version: 'x'.repeat(1024 * 1024) });
  for (const text of ['', '{', '7', 'null', '[]', '{"certified":true,"results":[]}', large])
    await expect(certificateIn(new Blob([text]))).rejects.toThrow('The file is no certificate');
});
