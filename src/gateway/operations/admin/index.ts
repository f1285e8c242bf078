import type { Operation } from '../../operation.ts';
import { setCurrentValue, setSeedValue, setSurplusSeed } from './adjust-pot.ts';
import { allowBrand, disallowBrand } from './allow-brand.ts';
import { assignSegment } from './assign-segment.ts';
import { assignSources } from './assign-sources.ts';
import { changeBrand } from './change-brand.ts';
import { changeInstance } from './change-instance.ts';
import { changeOperator } from './change-operator.ts';
import { createBrands } from './create-brands.ts';
import { createInstance } from './create-instance.ts';
import { createOperators } from './create-operators.ts';
import { createSegments } from './create-segments.ts';
import { createSources } from './create-sources.ts';
import { createTemplate } from './create-template.ts';
import { createWebhookOrigin } from './create-webhook-origin.ts';
import { deleteSegments } from './delete-segments.ts';
import { deleteSources } from './delete-sources.ts';
import { executeSwitch } from './execute-switch.ts';
import { findJackpotForAdministrator } from './find-jackpot.ts';
import { listBrandRates } from './list-brand-rates.ts';
import { listInstances } from './list-instances.ts';
import { listOperators } from './list-operators.ts';
import { listOptIns } from './list-opt-ins.ts';
import { listPlayerOptIns } from './list-player-opt-ins.ts';
import { listSegments } from './list-segments.ts';
import { listSources } from './list-sources.ts';
import { listTemplates } from './list-templates.ts';
import { listWebhookOrigins } from './list-webhook-origins.ts';
import { listInstancePotWinners, listInstanceWinners } from './list-winners.ts';
import { optPlayerIn, optPlayerInForRecords } from './opt-in.ts';
import { orderSegment } from './order-segment.ts';
import { orderSource } from './order-source.ts';
import { previewSwitch } from './preview-switch.ts';
import { readBrandWallet } from './read-brand-wallet.ts';
import { readInstance } from './read-instance.ts';
import { readOperator } from './read-operator.ts';
import { readTemplate } from './read-template.ts';
import { removeFromSegment } from './remove-from-segment.ts';
import { removeFromSources } from './remove-from-sources.ts';
import { removeWebhookOrigin } from './remove-webhook-origin.ts';
import { setBeacon } from './set-beacon.ts';
import { setBrandRates } from './set-brand-rates.ts';
import { setBrandWallet } from './set-brand-wallet.ts';
import { setDefaultRates } from './set-default-rates.ts';
import { setLinks } from './set-links.ts';
import { setParameters } from './set-parameters.ts';
import { setStatus } from './set-status.ts';
import { triggerPot } from './trigger-pot.ts';

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
  listPlayerOptIns,
  findJackpotForAdministrator,
  previewSwitch,
  executeSwitch,
  triggerPot,
  changeInstance,
  readInstance,
  listOptIns,
  optPlayerInForRecords,
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
];
