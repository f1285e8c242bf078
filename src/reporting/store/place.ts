import { readSecretFile } from '../../files/secret-file.ts';
import { StoreError } from '../base/errors.ts';
import type { BooksPlace } from './open.ts';

/** Where settings have the books: PostgreSQL, or else files of a directory. @throws StoreError */
export function booksPlace(
  {
    reportingUrl,
    reportingPasswordFile,
  }: { readonly reportingUrl: string | null; readonly reportingPasswordFile: string | null },
  directory: string,
): BooksPlace {
  if (reportingUrl === null) return { directory };
  const url = new URL(reportingUrl);
  if (reportingPasswordFile !== null) url.password = passwordIn(reportingPasswordFile);
  return { url: url.href };
}

function passwordIn(file: string): string {
  const text = readSecretFile(file, (message) => new StoreError('reporting_unavailable', message));
  if (text === null) throw new StoreError('reporting_unavailable', `${file} is missing.`);
  return text.trim();
}
