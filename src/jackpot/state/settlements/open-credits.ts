import type { CreditRecord } from '../../../messages/settlements.ts';
import { OpenBook } from './open-book.ts';

/**
 * Credits that one lane has open at a time. A brand that has as many as are left may not contribute, because it might win
 * another one (docs/decisions/0273).
 */
export const maxOpenCredits = 262_144;

/** Money that players are owed and have not got, in the order of the wins. */
export class OpenCredits extends OpenBook<CreditRecord> {}
