import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../src/files/directories.ts';
import { InputError } from '../input/records.ts';

const ownerOnly = 0o600;

/**
 * The file with a line for each result. It grows in steps that a journal counts; what is behind the last
 * counted one is dropped.
 */
export class ResultsFile {
  readonly #file: FileHandle;
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** A new file. @throws InputError if there is one */
  static async create(path: string): Promise<ResultsFile> {
    try {
      const file = await open(path, 'wx', ownerOnly);
      await syncDirectory(dirname(path));
      return new ResultsFile(file, 0);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new InputError(
        code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written: ${message}`,
      );
    }
  }

  /** Goes on with a file whose first bytes count. @throws InputError if it has fewer */
  static async reopen(path: string, bytes: number): Promise<ResultsFile> {
    let file: FileHandle;
    try {
      file = await open(path, 'r+');
    } catch (error) {
      throw new InputError(`${path} cannot be gone on with: ${(error as Error).message}`);
    }
    if ((await file.stat()).size < bytes) {
      await file.close();
      throw new InputError(`${path} has fewer results than its journal says.`);
    }
    await file.truncate(bytes);
    return new ResultsFile(file, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Durable when it resolves. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        written,
        bytes.length - written,
        this.#bytes + written,
      );
      written += bytesWritten;
    }
    await this.#file.datasync();
    this.#bytes += bytes.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
