import type { Module } from './modules.ts';

/** Names that no file but their own uses, of what some modules export. */
export function unusedExports(exporting: readonly Module[], readers: readonly Module[]): string[] {
  const used = new Set<string>();
  for (const { imports, text } of readers)
    for (const { target, names } of imports) {
      const exports = names ?? exporting.find(({ file }) => file === target)?.exports ?? [];
      for (const name of exports) if (names !== null || text.includes(name)) used.add(`${target}: ${name}`);
    }
  // Scripts load what is built.
  const scripts = readers.filter(({ file }) => /^(scripts|bin)\//.test(file)).map(({ text }) => text);
  return exporting
    .flatMap(({ file, exports }) => exports.map((name) => ({ name, place: `${file}: ${name}` })))
    .filter(({ name, place }) => !used.has(place) && !scripts.some((text) => text.includes(name)))
    .map(({ place }) => place);
}
