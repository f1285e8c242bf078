import { amountChecks } from './checks/amounts.ts';
import { batchCancellationChecks } from './checks/batch-cancellations.ts';
import { batchChecks } from './checks/batches.ts';
import { cancellationChecks } from './checks/cancellations.ts';
import { keyChecks } from './checks/keys.ts';
import { playerChecks } from './checks/players.ts';
import { repeatChecks } from './checks/repeats.ts';
import { transactionChecks } from './checks/transactions.ts';
import { finalChecks, transportChecks } from './checks/transport.ts';
import type { Check } from './kit/check.ts';

/** All that a wallet is tested for, in this order. */
export const checks: readonly Check[] = [
  ...playerChecks,
  ...keyChecks,
  ...transactionChecks,
  ...amountChecks,
  ...repeatChecks,
  ...cancellationChecks,
  ...batchChecks,
  ...batchCancellationChecks,
  ...transportChecks,
  ...finalChecks,
];
