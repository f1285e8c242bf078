import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

/** The files of src and what each imports, types included. Paths are relative to src. */

export const sources = resolve(import.meta.dirname, '../../../src');

export type Import = { readonly file: string; readonly specifier: string; readonly target: string | null };

export const files = listFiles(sources).map((path) => relative(sources, path));
export const texts = new Map(files.map((file) => [file, readFileSync(join(sources, file), 'utf8')]));
export const imports = files.flatMap(importsOf);

export function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(codeOf(texts.get(file) ?? '')));
}

function importsOf(file: string): Import[] {
  return specifiersOf(texts.get(file) ?? '').map((specifier) => ({
    file,
    specifier,
    target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : null,
  }));
}

export function specifiersOf(text: string): string[] {
  const code = codeOf(text);
  const patterns = [
    /\b(?:import|export)\b[^;'"`()]*?\bfrom\s*(['"])([^'"]+)\1/g,
    /\bimport\s*(['"])([^'"]+)\1/g,
    /\bimport\(\s*(['"])([^'"]+)\1/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] ?? ''));
}

/** Good enough for imports: comments go, strings stay. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

export function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}
