import { expect, it } from 'vitest';
import { BulkUploads } from '../../../../src/gateway/api/services/bulk-uploads.ts';
import { FairReaders } from '../../../../src/gateway/api/services/readers.ts';
import { ManualClock } from '../../../actors/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("an operator's lists wait for one another, and another operator's do not wait for them", async () => {
  const readers = new FairReaders(new ManualClock(), 4);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (operator: string, user: string): Promise<unknown> =>
    readers.during(operator, user, () => {
      begun.push(user);
      return new Promise<void>((end) => ends.push(end));
    });
  const refused: unknown[] = [];
  const note = (error: { readonly code: string }): unknown => refused.push(error.code);
  for (let at = 0; at < 11; at += 1) read('acme', `acme-${at}`).catch(note);
  for (const at of [0, 1]) read('rival', `rival-${at}`).catch(note);
  await settled();
  // Two have places, eight wait, and one is too much.
  expect(begun).toEqual(['acme-0', 'acme-1', 'rival-0', 'rival-1']);
  expect(refused).toEqual(['overloaded']);
  ends.shift()?.();
  await settled();
  expect(begun.at(-1)).toBe('acme-2');
});

it("uploads of an operator's administrators leave half of the room to others", () => {
  const uploads = new BulkUploads();
  const admitted = (operator: string, names: number) =>
    Array.from({ length: 16 }, (_, at) =>
      uploads.admit({ subject: `${operator}-${at % names}`, owners: new Set([operator]) }),
    ).filter((isAdmitted) => isAdmitted).length;
  expect(admitted('acme', 1)).toBe(4);
  expect(admitted('acme', 8)).toBe(4);
  expect(admitted('rival', 8)).toBe(8);
  uploads.leave({ subject: 'acme-0', owners: new Set(['acme']) });
  expect(uploads.admit({ subject: 'acme-9', owners: new Set(['acme']) })).toBe(true);
});
