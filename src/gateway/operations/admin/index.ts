import type { Operation } from '../../operation.ts';
import { approveChange } from './approvals/approve-change.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { rejectChange } from './approvals/reject-change.ts';
import { readAudit } from './audit/read-audit.ts';
import { contributeBySourceByHand } from './contributions/contribute-by-source.ts';
import { contributeForProvider } from './contributions/contribute-for-provider.ts';
import { contributeToInstanceByHand } from './contributions/contribute-to-instance.ts';
import { listCorsOrigins } from './cors/list-origins.ts';
import { putCorsOrigins } from './cors/put-origins.ts';
import { removeCorsOrigins } from './cors/remove-origins.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { listReplays } from './deliveries/list-replays.ts';
import { replayDelivery } from './deliveries/replay-delivery.ts';
import { replayRangeOfDeliveries } from './deliveries/replay-range.ts';
import { resolveDelivery } from './deliveries/resolve-delivery.ts';
import { allowBrand, disallowBrand } from './instances/allow-brand.ts';
import { changeInstance } from './instances/change-instance.ts';
import { createInstance } from './instances/create-instance.ts';
import { findJackpotForAdministrator } from './instances/find-jackpot.ts';
import { listInstances } from './instances/list-instances.ts';
import { listInstancePotWinners, listInstanceWinners } from './instances/list-winners.ts';
import { readInstance } from './instances/read-instance.ts';
import { setBeacon } from './instances/set-beacon.ts';
import { setLinks } from './instances/set-links.ts';
import { setParameters } from './instances/set-parameters.ts';
import { setStatus } from './instances/set-status.ts';
import { changeBrand } from './operators/change-brand.ts';
import { changeOperator } from './operators/change-operator.ts';
import { createBrands } from './operators/create-brands.ts';
import { createOperators } from './operators/create-operators.ts';
import { listOperators } from './operators/list-operators.ts';
import { readOperator } from './operators/read-operator.ts';
import { bulkOptIn } from './opt-ins/bulk/bulk-opt-in.ts';
import { listOptIns } from './opt-ins/list-opt-ins.ts';
import { listPlayerOptIns } from './opt-ins/list-player-opt-ins.ts';
import { optPlayerIn, optPlayerInForRecords } from './opt-ins/opt-in.ts';
import { setCurrentValue, setSeedValue, setSurplusSeed } from './pots/adjust-pot.ts';
import { triggerPot } from './pots/trigger-pot.ts';
import { listBrandRates } from './rates/list-brand-rates.ts';
import { setBrandRates } from './rates/set-brand-rates.ts';
import { setDefaultRates } from './rates/set-default-rates.ts';
import { assignSegment } from './segments/assign-segment.ts';
import { createSegments } from './segments/create-segments.ts';
import { deleteSegments } from './segments/delete-segments.ts';
import { listSegments } from './segments/list-segments.ts';
import { orderSegment } from './segments/order-segment.ts';
import { removeFromSegment } from './segments/remove-from-segment.ts';
import { releaseSettlement, resolveSettlement, retrySettlement } from './settlements/decide-settlement.ts';
import { listSettlements } from './settlements/list-settlements.ts';
import { assignSources } from './sources/assign-sources.ts';
import { createSources } from './sources/create-sources.ts';
import { deleteSources } from './sources/delete-sources.ts';
import { listSources } from './sources/list-sources.ts';
import { orderSource } from './sources/order-source.ts';
import { removeFromSources } from './sources/remove-from-sources.ts';
import { cancelSwitch } from './switches/cancel-switch.ts';
import { executeSwitch } from './switches/execute-switch.ts';
import { previewSwitch } from './switches/preview-switch.ts';
import { createTemplate } from './templates/create-template.ts';
import { listTemplates } from './templates/list-templates.ts';
import { readTemplate } from './templates/read-template.ts';
import { readBrandWallet } from './wallets/read-brand-wallet.ts';
import { setBrandWallet } from './wallets/set-brand-wallet.ts';
import { createWebhookOrigin } from './webhooks/create-webhook-origin.ts';
import { listWebhookOrigins } from './webhooks/list-webhook-origins.ts';
import { removeWebhookOrigin } from './webhooks/remove-webhook-origin.ts';

/** The administration of owners, sources, templates, instances and rates, in the order of their numbers. */
export const administration: readonly Operation[] = [
  listBrandRates,
  listOperators,
  createOperators,
  readOperator,
  createBrands,
  changeOperator,
  changeBrand,
  listSegments,
  createSegments,
  deleteSegments,
  assignSegment,
  orderSegment,
  removeFromSegment,
  listSources,
  createSources,
  deleteSources,
  assignSources,
  orderSource,
  removeFromSources,
  listInstances,
  listInstanceWinners,
  listInstancePotWinners,
  setCurrentValue,
  setSeedValue,
  setSurplusSeed,
  allowBrand,
  disallowBrand,
  optPlayerIn,
  bulkOptIn,
  listPlayerOptIns,
  findJackpotForAdministrator,
  previewSwitch,
  executeSwitch,
  cancelSwitch,
  triggerPot,
  changeInstance,
  readInstance,
  listOptIns,
  optPlayerInForRecords,
  contributeToInstanceByHand,
  contributeBySourceByHand,
  contributeForProvider,
  listTemplates,
  createTemplate,
  readTemplate,
  createInstance,
  setStatus,
  setBeacon,
  setParameters,
  setLinks,
  setDefaultRates,
  setBrandRates,
  setBrandWallet,
  readBrandWallet,
  listWebhookOrigins,
  createWebhookOrigin,
  removeWebhookOrigin,
  listCorsOrigins,
  putCorsOrigins,
  removeCorsOrigins,
  listDeliveries,
  listReplays,
  replayRangeOfDeliveries,
  replayDelivery,
  resolveDelivery,
  listSettlements,
  releaseSettlement,
  retrySettlement,
  resolveSettlement,
  listApprovals,
  approveChange,
  rejectChange,
  readAudit,
];
