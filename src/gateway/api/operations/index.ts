import { belowConfig, type Operation } from '../operation/operation.ts';
import * as administrators from './access/administrators.ts';
import * as identities from './access/identities.ts';
import * as identityProviders from './access/identity-providers.ts';
import * as pageSessions from './access/page-sessions.ts';
import * as providerLogins from './access/provider-logins.ts';
import * as secondFactors from './access/second-factors.ts';
import * as serviceUsers from './access/service-users.ts';
import * as sessions from './access/sessions.ts';
import * as approvals from './admin/approvals.ts';
import { readAuditOperation } from './admin/audit.ts';
import * as segments from './admin/bindings/segments.ts';
import * as sources from './admin/bindings/sources.ts';
import * as contributionsOperations from './admin/contributions/operations.ts';
import * as cors from './admin/cors.ts';
import * as deliveries from './admin/deliveries/deliveries.ts';
import * as replays from './admin/deliveries/replays.ts';
import * as tries from './admin/deliveries/tries.ts';
import { followEventsOperation } from './admin/events.ts';
import { forgetPlayerOperation } from './admin/forgotten-players.ts';
import * as allowedBrands from './admin/instances/allowed-brands.ts';
import { createInstanceOperation } from './admin/instances/create-instance.ts';
import * as details from './admin/instances/details.ts';
import { listInstancesOperation } from './admin/instances/list-instances.ts';
import * as listWinners from './admin/instances/list-winners.ts';
import { setLinksOperation } from './admin/instances/set-links.ts';
import { setParametersOperation } from './admin/instances/set-parameters.ts';
import { setStatusOperation } from './admin/instances/set-status.ts';
import * as brands from './admin/operators/brands.ts';
import * as operators from './admin/operators/operators.ts';
import { bulkOptInOperation } from './admin/opt-ins/bulk/bulk-opt-in.ts';
import * as listOptIns from './admin/opt-ins/list-opt-ins.ts';
import * as optIn from './admin/opt-ins/opt-in.ts';
import * as adjustPot from './admin/pots/adjust-pot.ts';
import { triggerPotOperation } from './admin/pots/trigger-pot.ts';
import * as rates from './admin/rates.ts';
import * as decideSettlement from './admin/settlements/decide-settlement.ts';
import { listSettlementsOperation } from './admin/settlements/list-settlements.ts';
import * as simulations from './admin/simulations.ts';
import * as switches from './admin/switches.ts';
import * as templates from './admin/templates.ts';
import * as wallets from './admin/wallets.ts';
import * as webhookOrigins from './admin/webhook-origins.ts';
import * as webhookSubscriptions from './admin/webhook-subscriptions.ts';
import * as epochs from './fairness/epochs.ts';
import * as instances from './fairness/instances.ts';
import * as jackpots from './jackpots.ts';
import * as contributions from './operator/contributions.ts';
import { issueFeedTicketOperation } from './operator/issue-feed-ticket.ts';
import { listOwnSourcesOperation } from './operator/list-sources.ts';
import * as optIns from './operator/opt-ins.ts';
import { publishEventOperation } from './operator/publish-event.ts';
import * as operatorRates from './operator/rates.ts';
import { registerWebhookSignatureOperation } from './operator/register-webhook-signature.ts';
import * as tickets from './operator/tickets.ts';
import * as winners from './operator/winners.ts';
import * as placementOrders from './placement/orders.ts';
import * as placement from './placement/placement.ts';
import * as publicFeed from './public/public-feed.ts';
import { referenceOperations } from './reference/operations.ts';
import { reportOperations } from './reports/index.ts';

/** Below /v1 for services with the right and for administrators, and below /config for administrators. */
const ofServicesAndAdministrators: readonly Operation[] = [
  webhookSubscriptions.listSubscriptionsOperation,
  webhookSubscriptions.readSubscriptionOperation,
  webhookSubscriptions.createSubscriptionOperation,
  webhookSubscriptions.changeSubscriptionOperation,
  webhookSubscriptions.removeSubscriptionOperation,
  cors.listCorsOriginsOperation,
  cors.putCorsOriginsOperation,
  cors.removeCorsOriginsOperation,
];

/** All operations but the documents, in the documents' order; a test compares them with docs/status.md. */
const described: readonly Operation[] = [
  registerWebhookSignatureOperation,
  publishEventOperation,
  issueFeedTicketOperation,
  contributions.contributeToInstanceOperation,
  contributions.contributeBySourceOperation,
  contributions.contributeV2Operation,
  contributions.streamContributionsOperation,
  operatorRates.readBrandRatesOperation,
  optIns.optInOperation,
  optIns.optInV2Operation,
  jackpots.findJackpotForOperatorOperation,
  winners.listWinnersOperation,
  winners.listPotWinnersOperation,
  winners.findWinnersOperation,
  winners.findPotWinnersOperation,
  listOwnSourcesOperation,
  tickets.listTicketsOperation,
  tickets.listPlayerTicketsOperation,
  tickets.listTicketsOfPlayerOperation,
  operatorRates.readPublicRatesOperation,
  jackpots.findJackpotOperation,
  jackpots.readTickerOperation,
  publicFeed.publicEventsOperation,
  publicFeed.publicJackpotsOperation,
  followEventsOperation,
  rates.listBrandRatesOperation,
  operators.listOperatorsOperation,
  operators.createOperatorsOperation,
  operators.readOperatorOperation,
  brands.createBrandsOperation,
  operators.changeOperatorOperation,
  brands.changeBrandOperation,
  segments.listSegmentsOperation,
  segments.createSegmentsOperation,
  segments.deleteSegmentsOperation,
  segments.assignSegmentOperation,
  segments.orderSegmentOperation,
  segments.removeFromSegmentOperation,
  sources.listSourcesOperation,
  sources.createSourcesOperation,
  sources.deleteSourcesOperation,
  sources.assignSourcesOperation,
  sources.orderSourceOperation,
  sources.removeFromSourcesOperation,
  listInstancesOperation,
  listWinners.listInstanceWinnersOperation,
  listWinners.listInstancePotWinnersOperation,
  adjustPot.setCurrentValueOperation,
  adjustPot.setSeedValueOperation,
  adjustPot.setSurplusSeedOperation,
  allowedBrands.allowBrandOperation,
  allowedBrands.disallowBrandOperation,
  optIn.optPlayerInOperation,
  bulkOptInOperation,
  listOptIns.listPlayerOptInsOperation,
  jackpots.findJackpotForAdministratorOperation,
  switches.previewSwitchOperation,
  switches.executeSwitchOperation,
  switches.cancelSwitchOperation,
  triggerPotOperation,
  details.changeInstanceOperation,
  details.readInstanceOperation,
  listOptIns.listOptInsOperation,
  optIn.optPlayerInForRecordsOperation,
  contributionsOperations.contributeToInstanceOnBehalfOperation,
  contributionsOperations.contributeBySourceOnBehalfOperation,
  contributionsOperations.contributeForProviderOperation,
  templates.listTemplatesOperation,
  templates.createTemplateOperation,
  templates.readTemplateOperation,
  templates.changeTemplateOperation,
  templates.copyTemplateOperation,
  simulations.beginSimulationOperation,
  simulations.readSimulationOperation,
  simulations.endSimulationOperation,
  createInstanceOperation,
  setStatusOperation,
  details.setBeaconOperation,
  setParametersOperation,
  setLinksOperation,
  rates.setDefaultRatesOperation,
  rates.setBrandRatesOperation,
  wallets.setBrandWalletOperation,
  wallets.readBrandWalletOperation,
  wallets.certifyWalletOperation,
  forgetPlayerOperation,
  webhookOrigins.listWebhookOriginsOperation,
  webhookOrigins.createWebhookOriginOperation,
  webhookOrigins.removeWebhookOriginOperation,
  ...ofServicesAndAdministrators,
  ...ofServicesAndAdministrators.map(belowConfig),
  deliveries.listDeliveriesOperation,
  tries.listDeliveryTriesOperation,
  replays.listReplaysOperation,
  replays.replayRangeOfDeliveriesOperation,
  deliveries.replayDeliveryOperation,
  deliveries.resolveDeliveryOperation,
  listSettlementsOperation,
  decideSettlement.releaseSettlementOperation,
  decideSettlement.retrySettlementOperation,
  decideSettlement.resolveSettlementOperation,
  approvals.listApprovalsOperation,
  approvals.approveChangeOperation,
  approvals.rejectChangeOperation,
  readAuditOperation,
  placement.listLanesOperation,
  placement.listHostsOperation,
  placement.listFailoversOperation,
  placementOrders.previewMoveOperation,
  placementOrders.moveLaneOperation,
  placementOrders.releaseLaneOperation,
  placementOrders.previewDrainOperation,
  placementOrders.drainHostOperation,
  placementOrders.undrainHostOperation,
  instances.readRulesOperation,
  epochs.listEpochsOperation,
  epochs.readEpochOperation,
  instances.readConservationOperation,
  sessions.authenticateServiceOperation,
  sessions.renewServiceTokenOperation,
  sessions.changeOwnServicePasswordOperation,
  sessions.authenticateAdministratorOperation,
  sessions.renewAdministratorTokenOperation,
  sessions.changeOwnPasswordOperation,
  pageSessions.beginSessionOperation,
  pageSessions.renewSessionOperation,
  pageSessions.endSessionOperation,
  pageSessions.endSessionsOperation,
  pageSessions.readOwnAccountOperation,
  secondFactors.stepUpOperation,
  secondFactors.beginFactorOperation,
  secondFactors.enrolFactorOperation,
  secondFactors.resetFactorOperation,
  providerLogins.beginProviderLoginOperation,
  providerLogins.endProviderLoginOperation,
  identityProviders.setIdentityProviderOperation,
  identityProviders.readIdentityProviderOperation,
  identityProviders.removeIdentityProviderOperation,
  sessions.readKeySetOperation,
  serviceUsers.createServiceUserOperation,
  serviceUsers.listServiceUsersOperation,
  serviceUsers.readServiceUserOperation,
  serviceUsers.changeServiceUserOperation,
  serviceUsers.removeServiceUserOperation,
  serviceUsers.createRequestKeyOperation,
  sessions.revokeTokenOperation,
  administrators.listAdministratorsOperation,
  administrators.createAdministratorOperation,
  administrators.readAdministratorOperation,
  administrators.changeAdministratorOperation,
  identities.bindIdentityOperation,
  identities.unbindIdentityOperation,
  ...reportOperations,
];

/** Every operation of the surface, and the two that describe them for machines. */
export const operations: readonly Operation[] = [...described, ...referenceOperations(described)];
