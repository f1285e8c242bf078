import * as z from 'zod';
import { brandField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { brandOf, brandPath, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../../../base/errors.ts';

/** Path inputs of `/config/operators/{operator_id}/brands/{brand_id}…`. */
export const brandParams = z.strictObject({ operator_id: ownIdField, brand_id: brandField });

/** The brand path that the two inputs name. */
export function brandOfPath(params: z.output<typeof brandParams>): string {
  const { operator_id, brand_id } = params;
  const path = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
  if (operatorOf(path) !== operator_id) throw new PublicError('brand_not_found');
  return path;
}

/** The brand may be repeated in the body, by its path or by its id alone, and must then be the same. */
export function requireSameBrand(inBody: string | null | undefined, path: string): void {
  if (inBody === null || inBody === undefined || inBody === path) return;
  if (inBody !== brandOf(path)) throw new PublicError('invalid_request');
}
