import type { Operation } from '../operation.ts';
import { referenceOperations } from '../reference/operations.ts';
import { authenticateAdministrator } from './access/authenticate-administrator.ts';
import { authenticateService } from './access/authenticate-service.ts';
import { changeAdministrator } from './access/change-administrator.ts';
import { changeOwnPassword } from './access/change-own-password.ts';
import { changeOwnServicePassword } from './access/change-own-service-password.ts';
import { changeServiceUser } from './access/change-service-user.ts';
import { createAdministrator } from './access/create-administrator.ts';
import { createRequestKey } from './access/create-request-key.ts';
import { createServiceUser } from './access/create-service-user.ts';
import { listAdministrators } from './access/list-administrators.ts';
import { listServiceUsers } from './access/list-service-users.ts';
import { readAdministrator } from './access/read-administrator.ts';
import { readKeySet } from './access/read-key-set.ts';
import { readServiceUser } from './access/read-service-user.ts';
import { removeServiceUser } from './access/remove-service-user.ts';
import { renewAdministratorToken } from './access/renew-administrator-token.ts';
import { renewServiceToken } from './access/renew-service-token.ts';
import { revokeToken } from './access/revoke-token.ts';
import { administration } from './admin/index.ts';
import { fairness } from './fairness/index.ts';
import { frontend } from './frontend/index.ts';
import { contributeBySource } from './operator/contribute-by-source.ts';
import { contributeToInstance } from './operator/contribute-to-instance.ts';
import { contributeV2 } from './operator/contribute-v2.ts';
import { findJackpotForOperator } from './operator/find-jackpot.ts';
import { findPotWinners } from './operator/find-pot-winners.ts';
import { findWinners } from './operator/find-winners.ts';
import { listPlayerTickets } from './operator/list-player-tickets.ts';
import { listPotWinners } from './operator/list-pot-winners.ts';
import { listOwnSources } from './operator/list-sources.ts';
import { listTickets } from './operator/list-tickets.ts';
import { listTicketsOfPlayer } from './operator/list-tickets-of-player.ts';
import { listWinners } from './operator/list-winners.ts';
import { optIn } from './operator/opt-in.ts';
import { optInV2 } from './operator/opt-in-v2.ts';
import { publishEvent } from './operator/publish-event.ts';
import { readBrandRates } from './operator/read-brand-rates.ts';
import { registerWebhookSignature } from './operator/register-webhook-signature.ts';
import { streamContributions } from './operator/stream-contributions.ts';

/** A line each; a test compares them with docs/status.md. */
const described: readonly Operation[] = [
  registerWebhookSignature,
  publishEvent,
  contributeToInstance,
  contributeBySource,
  contributeV2,
  streamContributions,
  readBrandRates,
  optIn,
  optInV2,
  findJackpotForOperator,
  listWinners,
  listPotWinners,
  findWinners,
  findPotWinners,
  listOwnSources,
  listTickets,
  listPlayerTickets,
  listTicketsOfPlayer,
  ...frontend,
  ...administration,
  ...fairness,
  authenticateService,
  renewServiceToken,
  changeOwnServicePassword,
  authenticateAdministrator,
  renewAdministratorToken,
  changeOwnPassword,
  readKeySet,
  createServiceUser,
  listServiceUsers,
  readServiceUser,
  changeServiceUser,
  removeServiceUser,
  createRequestKey,
  revokeToken,
  listAdministrators,
  createAdministrator,
  readAdministrator,
  changeAdministrator,
];

/** Every operation of the surface, and the two that describe them for machines. */
export const operations: readonly Operation[] = [...described, ...referenceOperations(described)];
