import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { orNull } from './directories.ts';
import { draftSuffix, replaceFile } from './replace-file.ts';

const ownerOnlyDirectory = 0o700;

/** Objects as files below a directory; an object is there as a whole, durably, or not at all. */
export class ArchiveFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(name: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const path = this.#pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: ownerOnlyDirectory });
    await replaceFile(path, bytes);
  }

  get(name: string): Promise<Uint8Array | null> {
    return orNull(readFile(this.#pathOf(name)));
  }

  async has(name: string): Promise<boolean> {
    return (await orNull(stat(this.#pathOf(name)))) !== null;
  }

  /** Without drafts that a killed process left. */
  async list(): Promise<string[]> {
    const entries = await orNull(readdir(this.#directory, { recursive: true, withFileTypes: true }));
    return (entries ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith(draftSuffix))
      .map((entry) => relative(this.#directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  #pathOf(name: string): string {
    if (!/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(name) || name.split('/').includes('..'))
      throw new Error(`"${name}" cannot be the name of a file.`);
    return join(this.#directory, ...name.split('/'));
  }
}
