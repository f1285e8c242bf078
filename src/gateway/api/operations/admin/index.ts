import type { Operation } from '../../operation/operation.ts';
import { approveChangeOperation } from './approvals/approve-change.ts';
import { listApprovalsOperation } from './approvals/list-approvals.ts';
import { rejectChangeOperation } from './approvals/reject-change.ts';
import { readAuditOperation } from './audit/read-audit.ts';
import { contributeBySourceOnBehalfOperation } from './contributions/contribute-by-source.ts';
import { contributeForProviderOperation } from './contributions/contribute-for-provider.ts';
import { contributeToInstanceOnBehalfOperation } from './contributions/contribute-to-instance.ts';
import { listCorsOriginsOperation } from './cors/list-origins.ts';
import { putCorsOriginsOperation } from './cors/put-origins.ts';
import { removeCorsOriginsOperation } from './cors/remove-origins.ts';
import { listDeliveriesOperation } from './deliveries/list-deliveries.ts';
import { listReplaysOperation } from './deliveries/list-replays.ts';
import { replayDeliveryOperation } from './deliveries/replay-delivery.ts';
import { replayRangeOfDeliveriesOperation } from './deliveries/replay-range.ts';
import { resolveDeliveryOperation } from './deliveries/resolve-delivery.ts';
import { allowBrandOperation, disallowBrandOperation } from './instances/allow-brand.ts';
import { changeInstanceOperation } from './instances/change-instance.ts';
import { createInstanceOperation } from './instances/create-instance.ts';
import { findJackpotForAdministratorOperation } from './instances/find-jackpot.ts';
import { listInstancesOperation } from './instances/list-instances.ts';
import { listInstancePotWinnersOperation, listInstanceWinnersOperation } from './instances/list-winners.ts';
import { readInstanceOperation } from './instances/read-instance.ts';
import { setBeaconOperation } from './instances/set-beacon.ts';
import { setLinksOperation } from './instances/set-links.ts';
import { setParametersOperation } from './instances/set-parameters.ts';
import { setStatusOperation } from './instances/set-status.ts';
import { changeBrandOperation } from './operators/change-brand.ts';
import { changeOperatorOperation } from './operators/change-operator.ts';
import { createBrandsOperation } from './operators/create-brands.ts';
import { createOperatorsOperation } from './operators/create-operators.ts';
import { listOperatorsOperation } from './operators/list-operators.ts';
import { readOperatorOperation } from './operators/read-operator.ts';
import { bulkOptInOperation } from './opt-ins/bulk/bulk-opt-in.ts';
import { listOptInsOperation } from './opt-ins/list-opt-ins.ts';
import { listPlayerOptInsOperation } from './opt-ins/list-player-opt-ins.ts';
import { optPlayerInForRecordsOperation, optPlayerInOperation } from './opt-ins/opt-in.ts';
import {
  setCurrentValueOperation,
  setSeedValueOperation,
  setSurplusSeedOperation,
} from './pots/adjust-pot.ts';
import { triggerPotOperation } from './pots/trigger-pot.ts';
import { listBrandRatesOperation } from './rates/list-brand-rates.ts';
import { setBrandRatesOperation } from './rates/set-brand-rates.ts';
import { setDefaultRatesOperation } from './rates/set-default-rates.ts';
import { assignSegmentOperation } from './segments/assign-segment.ts';
import { createSegmentsOperation } from './segments/create-segments.ts';
import { deleteSegmentsOperation } from './segments/delete-segments.ts';
import { listSegmentsOperation } from './segments/list-segments.ts';
import { orderSegmentOperation } from './segments/order-segment.ts';
import { removeFromSegmentOperation } from './segments/remove-from-segment.ts';
import {
  releaseSettlementOperation,
  resolveSettlementOperation,
  retrySettlementOperation,
} from './settlements/decide-settlement.ts';
import { listSettlementsOperation } from './settlements/list-settlements.ts';
import { assignSourcesOperation } from './sources/assign-sources.ts';
import { createSourcesOperation } from './sources/create-sources.ts';
import { deleteSourcesOperation } from './sources/delete-sources.ts';
import { listSourcesOperation } from './sources/list-sources.ts';
import { orderSourceOperation } from './sources/order-source.ts';
import { removeFromSourcesOperation } from './sources/remove-from-sources.ts';
import { cancelSwitchOperation } from './switches/cancel-switch.ts';
import { executeSwitchOperation } from './switches/execute-switch.ts';
import { previewSwitchOperation } from './switches/preview-switch.ts';
import { createTemplateOperation } from './templates/create-template.ts';
import { listTemplatesOperation } from './templates/list-templates.ts';
import { readTemplateOperation } from './templates/read-template.ts';
import { readBrandWalletOperation } from './wallets/read-brand-wallet.ts';
import { setBrandWalletOperation } from './wallets/set-brand-wallet.ts';
import { createWebhookOriginOperation } from './webhooks/create-webhook-origin.ts';
import { listWebhookOriginsOperation } from './webhooks/list-webhook-origins.ts';
import { removeWebhookOriginOperation } from './webhooks/remove-webhook-origin.ts';

/** The administration of owners, sources, templates, instances and rates, in the order of their numbers. */
export const administration: readonly Operation[] = [
  listBrandRatesOperation,
  listOperatorsOperation,
  createOperatorsOperation,
  readOperatorOperation,
  createBrandsOperation,
  changeOperatorOperation,
  changeBrandOperation,
  listSegmentsOperation,
  createSegmentsOperation,
  deleteSegmentsOperation,
  assignSegmentOperation,
  orderSegmentOperation,
  removeFromSegmentOperation,
  listSourcesOperation,
  createSourcesOperation,
  deleteSourcesOperation,
  assignSourcesOperation,
  orderSourceOperation,
  removeFromSourcesOperation,
  listInstancesOperation,
  listInstanceWinnersOperation,
  listInstancePotWinnersOperation,
  setCurrentValueOperation,
  setSeedValueOperation,
  setSurplusSeedOperation,
  allowBrandOperation,
  disallowBrandOperation,
  optPlayerInOperation,
  bulkOptInOperation,
  listPlayerOptInsOperation,
  findJackpotForAdministratorOperation,
  previewSwitchOperation,
  executeSwitchOperation,
  cancelSwitchOperation,
  triggerPotOperation,
  changeInstanceOperation,
  readInstanceOperation,
  listOptInsOperation,
  optPlayerInForRecordsOperation,
  contributeToInstanceOnBehalfOperation,
  contributeBySourceOnBehalfOperation,
  contributeForProviderOperation,
  listTemplatesOperation,
  createTemplateOperation,
  readTemplateOperation,
  createInstanceOperation,
  setStatusOperation,
  setBeaconOperation,
  setParametersOperation,
  setLinksOperation,
  setDefaultRatesOperation,
  setBrandRatesOperation,
  setBrandWalletOperation,
  readBrandWalletOperation,
  listWebhookOriginsOperation,
  createWebhookOriginOperation,
  removeWebhookOriginOperation,
  listCorsOriginsOperation,
  putCorsOriginsOperation,
  removeCorsOriginsOperation,
  listDeliveriesOperation,
  listReplaysOperation,
  replayRangeOfDeliveriesOperation,
  replayDeliveryOperation,
  resolveDeliveryOperation,
  listSettlementsOperation,
  releaseSettlementOperation,
  retrySettlementOperation,
  resolveSettlementOperation,
  listApprovalsOperation,
  approveChangeOperation,
  rejectChangeOperation,
  readAuditOperation,
];
