import * as z from 'zod';
import { description, displayName } from '../fields/configuration-fields.ts';
import { gameCodeField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { instanceShape, reasonField, switchShape } from './instance.ts';

const maxPots = 64;

/** A pot transfer rule: for a pot of the source, the pots of the target and their fractions. */
const potRule = z.strictObject({
  source_pot: z.string().min(1).max(64),
  target_pot: z
    .record(z.string().min(1).max(64), z.string().max(64))
    .refine((targets) => Object.keys(targets).length <= maxPots),
});

const rules = {
  pot_rules: z.array(potRule).max(maxPots),
  transfer_optins: z.boolean(),
  reason: reasonField,
  /** Ours: odds that get worse, or a must-drop pot that is full at once, are what is wanted. */
  override: z.boolean().nullish(),
};

/** A28. */
export const switchPreview = z.strictObject({
  source_instance_id: ownIdField,
  template_owner_id: ownerField,
  template_id: ownIdField,
  target_instance_owner_id: ownerField,
  target_instance_name: displayName,
  target_instance_game_code: gameCodeField.nullish(),
  target_instance_desc: description.nullish(),
  dry_run: z.boolean(),
  ...rules,
});

/** The answer of A28. */
export const switchedPair = z.strictObject({
  source_instance: instanceShape,
  target_instance: instanceShape,
});

/** A29. */
export const switchExecution = z.strictObject({
  source_instance_id: ownIdField,
  target_instance_id: ownIdField,
  user_id: z.string().min(1).max(256),
  ...rules,
});

/** The answer of A29 while the switch goes on; A32 of the source shows its progress. */
export const switchUnderWay = z.strictObject({
  source_instance_id: z.string(),
  target_instance_id: z.string(),
  switch: switchShape,
});

/** Cancels a switch that is under way. */
export const switchCancellation = z.strictObject({
  source_instance_id: ownIdField,
  target_instance_id: ownIdField,
  reason: reasonField,
});
