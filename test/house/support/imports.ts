import { modulesOf, readModule } from './modules.ts';

/** The files of src and what each imports, types included. Paths are relative to src. */

export type Import = { readonly file: string; readonly specifier: string; readonly target: string | null };

const modules = modulesOf(['src']).filter(({ file }) => file.endsWith('.ts'));
const short = (file: string) => (file.startsWith('src/') ? file.slice(4) : `../${file}`);

export const files = modules.map(({ file }) => short(file));
export const texts = new Map(modules.map(({ file, text }) => [short(file), text]));
const codes = new Map([...texts].map(([file, text]) => [file, codeOf(text)]));
export const imports = modules.flatMap(({ file, imports: all }): Import[] =>
  all.map(({ specifier, target }) => ({ file: short(file), specifier, target: target && short(target) })),
);

export function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(codes.get(file) ?? ''));
}

/** What lies beside src and is held to the same rules. Paths are relative to the repository. */
export const beside = modulesOf(['tools', 'verifier/src']);

export function besideWith(pattern: RegExp): string[] {
  return beside.filter(({ text }) => pattern.test(codeOf(text))).map(({ file }) => file);
}

export function specifiersOf(text: string): string[] {
  return readModule('example.ts', text).imports.map(({ specifier }) => specifier);
}

/** Good enough for searches: comments go, strings stay. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

export function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}
