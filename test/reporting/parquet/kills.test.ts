import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { hourMs } from '../../../src/reporting/parquet/warehouse.ts';
import { openStore } from '../../../src/reporting/store/open.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { systemId } from '../support/places.ts';

/** Processes that write files of closed hours, and are killed with SIGKILL. */

const repository = resolve(import.meta.dirname, '../../..');
const kills = 8;
const hours = 4;

const program = `
import { writeClosedHours } from '${repository}/src/reporting/parquet/closed-hours.ts';
import { Warehouse } from '${repository}/src/reporting/parquet/warehouse.ts';
import { openStore } from '${repository}/src/reporting/store/open.ts';
const [books, directory] = process.argv.slice(2);
const store = await openStore({ directory: books }, '${systemId}');
process.stdout.write('begins');
const warehouse = new Warehouse(directory, '${systemId}');
await writeClosedHours(0, { store, warehouse, forgotten: 0, goesOn: async () => true });
await store.close();
`;

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.writing') && statSync(join(directory, path)).isFile())
    .map(
      (path) =>
        `${path} ${createHash('sha256')
          .update(readFileSync(join(directory, path)))
          .digest('hex')}`,
    )
    .sort();
}

test(`killed ${kills} times anywhere, the files are those of a process that nothing disturbs`, async () => {
  // Below the repository, so that the program finds its packages.
  const work = mkdtempSync(join(repository, 'node_modules/.potstream-kills-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  writeFileSync(join(work, 'entry.ts'), program);
  const bundle = await rolldown({
    input: join(work, 'entry.ts'),
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id),
  });
  await bundle.write({ file: join(work, 'program.mjs'), format: 'es' });
  const books = join(work, 'books');
  const store = await openStore({ directory: books }, systemId);
  for (let hour = 0; hour < hours; hour += 1) {
    const tickets = Array.from({ length: 6_000 }, (_, command_index) =>
      rowWith('tickets', { sequence: hour + 1, command_index, time: noon + hour * hourMs }),
    );
    const wins = [rowWith('wins', { sequence: hour + 1, time: noon + hour * hourMs })];
    const position = { ...batchTo(hour + 1, hour).position, timestampMs: noon + dayMs };
    await store.write(batchTo(hour + 1, hour === 0 ? -1 : hour, { rows: { tickets, wins }, position }));
  }
  await store.close();

  /** How long it took from its beginning on; null: it was killed. */
  const run = (directory: string, killAfterMs: number | null): Promise<number | null> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [join(work, 'program.mjs'), books, directory], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let beganMs = 0;
      child.stdout.once('data', () => {
        beganMs = performance.now();
        if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      });
      child.once('exit', (code, signal) => {
        if (signal === 'SIGKILL') done(null);
        else if (code === 0) done(performance.now() - beganMs);
        else fail(new Error(`exit code ${code}`));
      });
    });
  const directoryOf = (name: string): string => {
    mkdirSync(join(work, name));
    return join(work, name);
  };
  const undisturbed = directoryOf('undisturbed');
  const tookMs = (await run(undisturbed, null))!;
  const expected = filesIn(undisturbed);
  expect(expected).toHaveLength(1 + hours * 3);

  let killed = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const directory = directoryOf(`killed-${kill}`);
    if ((await run(directory, (tookMs * kill) / kills)) === null) killed += 1;
    expect(expected).toEqual(expect.arrayContaining([...filesIn(directory)]));
    // The next one, killed too, goes on there.
    await run(directory, tookMs / 2);
    await run(directory, null);
    expect(filesIn(directory)).toEqual(expected);
  }
  expect(killed).toBeGreaterThan(1);
});
