import type { Operation } from '../operation/operation.ts';
import { authenticateAdministratorOperation } from './access/authenticate-administrator.ts';
import { authenticateServiceOperation } from './access/authenticate-service.ts';
import { changeAdministratorOperation } from './access/change-administrator.ts';
import { changeOwnPasswordOperation } from './access/change-own-password.ts';
import { changeOwnServicePasswordOperation } from './access/change-own-service-password.ts';
import { changeServiceUserOperation } from './access/change-service-user.ts';
import { createAdministratorOperation } from './access/create-administrator.ts';
import { createRequestKeyOperation } from './access/create-request-key.ts';
import { createServiceUserOperation } from './access/create-service-user.ts';
import { listAdministratorsOperation } from './access/list-administrators.ts';
import { listServiceUsersOperation } from './access/list-service-users.ts';
import { readAdministratorOperation } from './access/read-administrator.ts';
import { readKeySetOperation } from './access/read-key-set.ts';
import { readServiceUserOperation } from './access/read-service-user.ts';
import { removeServiceUserOperation } from './access/remove-service-user.ts';
import { renewAdministratorTokenOperation } from './access/renew-administrator-token.ts';
import { renewServiceTokenOperation } from './access/renew-service-token.ts';
import { revokeTokenOperation } from './access/revoke-token.ts';
import { administration } from './admin/index.ts';
import { fairness } from './fairness/index.ts';
import { frontend } from './frontend/index.ts';
import { contributeBySourceOperation } from './operator/contribute-by-source.ts';
import { contributeToInstanceOperation } from './operator/contribute-to-instance.ts';
import { contributeV2Operation } from './operator/contribute-v2.ts';
import { findJackpotForOperatorOperation } from './operator/find-jackpot.ts';
import { findPotWinnersOperation } from './operator/find-pot-winners.ts';
import { findWinnersOperation } from './operator/find-winners.ts';
import { listPlayerTicketsOperation } from './operator/list-player-tickets.ts';
import { listPotWinnersOperation } from './operator/list-pot-winners.ts';
import { listOwnSourcesOperation } from './operator/list-sources.ts';
import { listTicketsOperation } from './operator/list-tickets.ts';
import { listTicketsOfPlayerOperation } from './operator/list-tickets-of-player.ts';
import { listWinnersOperation } from './operator/list-winners.ts';
import { optInOperation } from './operator/opt-in.ts';
import { optInV2Operation } from './operator/opt-in-v2.ts';
import { publishEventOperation } from './operator/publish-event.ts';
import { readBrandRatesOperation } from './operator/read-brand-rates.ts';
import { registerWebhookSignatureOperation } from './operator/register-webhook-signature.ts';
import { streamContributionsOperation } from './operator/stream-contributions.ts';
import { referenceOperations } from './reference/operations.ts';

/** A line each; a test compares them with docs/status.md. */
const described: readonly Operation[] = [
  registerWebhookSignatureOperation,
  publishEventOperation,
  contributeToInstanceOperation,
  contributeBySourceOperation,
  contributeV2Operation,
  streamContributionsOperation,
  readBrandRatesOperation,
  optInOperation,
  optInV2Operation,
  findJackpotForOperatorOperation,
  listWinnersOperation,
  listPotWinnersOperation,
  findWinnersOperation,
  findPotWinnersOperation,
  listOwnSourcesOperation,
  listTicketsOperation,
  listPlayerTicketsOperation,
  listTicketsOfPlayerOperation,
  ...frontend,
  ...administration,
  ...fairness,
  authenticateServiceOperation,
  renewServiceTokenOperation,
  changeOwnServicePasswordOperation,
  authenticateAdministratorOperation,
  renewAdministratorTokenOperation,
  changeOwnPasswordOperation,
  readKeySetOperation,
  createServiceUserOperation,
  listServiceUsersOperation,
  readServiceUserOperation,
  changeServiceUserOperation,
  removeServiceUserOperation,
  createRequestKeyOperation,
  revokeTokenOperation,
  listAdministratorsOperation,
  createAdministratorOperation,
  readAdministratorOperation,
  changeAdministratorOperation,
];

/** Every operation of the surface, and the two that describe them for machines. */
export const operations: readonly Operation[] = [...described, ...referenceOperations(described)];
