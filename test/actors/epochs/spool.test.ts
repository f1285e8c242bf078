import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Spool, spoolFileOpener } from '../../../src/actors/epochs/spool.ts';
import { systemRandom } from '../../../src/wiring.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-test-spool-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('what is spilled', () => {
  it('is read as it was written, whatever was freed meanwhile and is written over', async () => {
    const steps = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 100_000 }), frees: fc.nat(5) }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const spool = new Spool(() => spoolFileOpener(directory, systemRandom)(0));
        const kept: { readonly bytes: Uint8Array; readonly text: Awaited<ReturnType<Spool['write']>> }[] = [];
        for (const [index, { bytes: length, frees }] of all.entries()) {
          const bytes = new Uint8Array(length).fill(index + 1);
          kept.push({ bytes, text: await spool.write(bytes) });
          for (const { text } of kept.splice(0, Math.min(frees, kept.length - 1))) {
            text.free();
            text.free();
          }
        }
        for (const { bytes, text } of kept) expect(Buffer.compare(await text.read(), bytes)).toBe(0);
        await spool.close();
      }),
      { numRuns: 50 },
    );
  });

  it('takes no more of the disk than what is kept at a time', async () => {
    let end = 0;
    const open = spoolFileOpener(directory, systemRandom);
    const spool = new Spool(async () => {
      const file = await open(0);
      return {
        ...file,
        write: (bytes, position) => {
          end = Math.max(end, position + bytes.length);
          return file.write(bytes, position);
        },
      };
    });
    for (let time = 0; time < 50; time += 1) (await spool.write(new Uint8Array(200_000))).free();
    expect(end).toBeLessThanOrEqual(200_000);
    await spool.close();
  });

  it('has no name by which it could be left behind', async () => {
    const spool = new Spool(() => spoolFileOpener(directory, systemRandom)(0));
    await spool.write(new Uint8Array(10));
    expect(await readdir(directory)).toEqual([]);
    await spool.close();
  });

  it('is an outage where the disk refuses', async () => {
    const file = join(directory, 'a-file');
    await writeFile(file, '');
    const spool = new Spool(() => spoolFileOpener(join(file, 'below'), systemRandom)(0));
    await expect(spool.write(new Uint8Array(10))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
