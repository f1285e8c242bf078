import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';

/** The path of a brand that a frontend names: nobody's operator is known, so it has to be the path. */
export function publicBrand(directory: ReadModel, brand: string): string {
  const path = directory.entries.brandPath(brand, null);
  if (path === null) throw new PublicError('brand_not_found');
  if (directory.entries.enabled(path) !== true) throw new PublicError('owner_disabled');
  return path;
}
