import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { type ParseResult, parseSync } from 'vite';

export const repository = resolve(import.meta.dirname, '../../..');

export interface Imported {
  readonly specifier: string;
  /** null: a package, or something of Node. */
  readonly target: string | null;
  /** null: the module as a whole. */
  readonly names: readonly string[] | null;
}

/** A file of code as the parser sees it. */
export interface Module {
  readonly file: string;
  readonly text: string;
  readonly parsed: ParseResult;
  readonly comments: ParseResult['comments'];
  /** Types and re-exports included. */
  readonly imports: readonly Imported[];
  /** The names that it declares and exports. */
  readonly exports: readonly string[];
}

/** Paths below these folders of the repository, by git's list: what is ignored is none of ours. */
export function listFiles(folders: readonly string[]): string[] {
  const options = { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 25 } as const;
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], options)
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(repository, file)));
}

/** The text of a file of the repository. */
export function readText(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

const cache = new Map<string, Module>();

/** The modules below the folders. */
export function modulesOf(folders: readonly string[]): readonly Module[] {
  return listFiles(folders).filter(isCode).map(moduleAt);
}

function moduleAt(file: string): Module {
  const module = cache.get(file) ?? readModule(file, readText(file));
  cache.set(file, module);
  return module;
}

/** What a module with this text imports and exports. */
export function readModule(file: string, text: string): Module {
  const parsed = parseSync(file, text);
  const { comments } = parsed;
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const exported = staticExports.flatMap(({ entries }) => entries);
  const from = (specifier: string, names: readonly string[] | null): Imported => ({
    specifier,
    target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : null,
    names,
  });
  const imports = [
    ...staticImports.map(({ moduleRequest, entries }) => {
      const isWhole = entries.some(({ importName }) => importName.kind === 'NamespaceObject');
      const names = entries.map(({ importName }) => importName.name ?? 'default');
      return from(moduleRequest.value, isWhole ? null : names);
    }),
    ...exported.flatMap(({ moduleRequest, importName }) =>
      moduleRequest === null
        ? []
        : [from(moduleRequest.value, importName.name == null ? null : [importName.name])],
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => from(text.slice(start + 1, end - 1), null)),
    ...[...text.matchAll(/(?<=[:<|({=] *(?:typeof )?)import\('([^']+)'\)(?:\.(\w+))/g)]
      .filter(([, , name]) => name !== 'then')
      .map(([, specifier = '', name = '']) => from(specifier, [name])),
  ];
  const exports = exported
    .filter(({ moduleRequest }) => moduleRequest === null)
    .map(({ exportName }) => exportName.name ?? 'default');
  return { file, text, parsed, comments, imports, exports };
}

function isCode(file: string): boolean {
  return /\.(ts|tsx|js|mjs)$/.test(file);
}
