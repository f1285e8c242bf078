import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');
const nextEngine = join(import.meta.dirname, 'next-engine.mjs');
const table = 'export const engineVersions = new Map(';

export type Release = 'this' | 'next';

/** A copy of the program with two releases of it: that of this repository, and one with a further version of the engine. */
export interface Installation {
  /** What `node` runs in place of `bin/potstream`. */
  readonly program: string;
  /** Processes that start from now on are of this release. */
  install(release: Release): void;
  remove(): void;
}

/** Copies and bundles what `npm run build` has built. */
export function createInstallation(): Installation {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-installation-'));
  const at = (...path: readonly string[]): string => join(directory, ...path);
  const ofRepository = (...path: readonly string[]): string => join(repository, ...path);
  for (const each of ['package.json', 'deploy', 'web', 'node_modules'])
    symlinkSync(ofRepository(each), at(each));
  cpSync(ofRepository('dist/program'), at('releases/this/program'), { recursive: true });
  cpSync(ofRepository('dist'), at('releases/next'), {
    recursive: true,
    filter: (source) => source !== ofRepository('dist/program'),
  });
  const versions = at('releases/next/src/jackpot/lane/versions/versions.js');
  writeFileSync(versions, withNextVersion(readFileSync(versions, 'utf8')));
  const bundled = spawnSync(process.execPath, [ofRepository('scripts/bundle.mjs'), at('releases/next')], {
    encoding: 'utf8',
  });
  if (bundled.status !== 0) throw new Error(`The next release could not be bundled:\n${bundled.stderr}`);
  cpSync(ofRepository('bin'), at('bin'), { recursive: true });
  const program = readFileSync(at('bin/potstream'), 'utf8');
  writeFileSync(at('bin/potstream'), program.replaceAll('../dist/program/', '../current/program/'));
  const install = (release: Release): void => {
    symlinkSync(at('releases', release), at('new'));
    renameSync(at('new'), at('current'));
  };
  install('this');
  return {
    program: at('bin/potstream'),
    install,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function withNextVersion(source: string): string {
  if (!source.includes(table)) throw new Error(`There is no "${table}" in versions.js.`);
  return `import { withNextVersion } from ${JSON.stringify(nextEngine)};
${source.replace(table, 'const versionsOfThisRelease = new Map(')}
export const engineVersions = withNextVersion(versionsOfThisRelease);
`;
}
