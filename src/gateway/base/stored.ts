import { AccountContention } from '../../access/accounts/table-turns.ts';
import { LogError } from '../../ports.ts';
import { PublicError } from './errors.ts';

/** An outage of a table as a public error. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AccountContention) throw new PublicError('overloaded');
    if (!(error instanceof LogError)) throw error;
    throw new PublicError(error.code === 'unknown' ? 'outcome_unknown' : 'storage_unavailable');
  }
}
