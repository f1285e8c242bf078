import { listPlayers, putDeposits, putPlayers, readPlayer } from './control/accounts.ts';
import { clearFaults, listFaults, putFaults } from './control/faults.ts';
import { readLedger, readMovements } from './control/ledger.ts';
import { issueTokens, revokeTokens } from './control/tokens.ts';
import { authenticate } from './operations/authenticate.ts';
import { cancelBatch } from './operations/cancel-batch.ts';
import { cancelTransaction } from './operations/cancel-transaction.ts';
import { executeBatch } from './operations/execute-batch.ts';
import { executeTransaction } from './operations/execute-transaction.ts';
import { readStatements } from './operations/read-statements.ts';
import type { WalletOperation } from './wallet/operation.ts';

/** W1–W5, statements, and `/control`, which sets the wallet up and looks into it. */
export const walletOperations: readonly WalletOperation[] = [
  executeTransaction,
  authenticate,
  cancelTransaction,
  executeBatch,
  cancelBatch,
  readStatements,
  putPlayers,
  listPlayers,
  readPlayer,
  putDeposits,
  issueTokens,
  revokeTokens,
  putFaults,
  listFaults,
  clearFaults,
  readLedger,
  readMovements,
];
