import * as z from 'zod';
import {
  contributionRulesShape,
  partShape,
  potMembers,
  raffleRulesShape,
} from '../configuration/configuration-shapes.ts';
import { potTypeShapes } from '../configuration/kinds.ts';

/** docs/rules/http.md "Fairness": the rules of an instance as fairness-view.ts makes them. */
const funding = contributionRulesShape.shape;

/** What a trigger means for a player, in words. */
const rule = z.string();
const odds = z.union(
  Object.entries(potTypeShapes).map(([kind, { odds: more, shape }]) =>
    z.strictObject({ [kind]: more === undefined ? shape : shape.extend(more.shape), rule }),
  ),
);

export const rulesShape = z.strictObject({
  instance_id: z.string(),
  name: z.string(),
  jackpot_type: z.string(),
  currency: z.string(),
  status: z.string(),
  version: z.int(),
  funding: z.strictObject({
    opt_in_required: funding.opt_in_required,
    contribution_type: funding.contribution_type,
    contribution_values_alt: funding.contribution_values_alt,
    max_contribution: funding.max_contribution,
    operator_contribution_percentage: funding.operator_contribution_percentage,
    wager_criteria: funding.wager_criteria,
    qualified_contribution_only: funding.qualified_contribution_only,
    house_contribution_type: partShape,
    diversion_percentage: z.string().nullable(),
  }),
  pots: z.array(
    z.strictObject({
      id: potMembers.id,
      enabled: potMembers.enabled,
      contribution: potMembers.contribution,
      seed_contribution: potMembers.seed_contribution,
      seed_strategy: potMembers.seed_strategy,
      is_progressive: potMembers.is_progressive,
      maximum_pot_value: potMembers.maximum_pot_value,
      odds: z.array(odds),
      win_constraints: potMembers.win_constraints,
      criteria: potMembers.criteria,
      payout_ruleset: potMembers.payout_ruleset,
      rtp_share: z.string().nullable(),
    }),
  ),
  rtp_share: z.string().nullable(),
  max_instantiation_count: z.int().nullable(),
  draw_beacon: z.string(),
  raffle_rules: raffleRulesShape,
  raffle_draw: z.string().nullable(),
  win_selector_strategy: z.string(),
  simultaneous_wins: z.string(),
  fault_rules: z.array(z.string()),
});

/**
 * An epoch; once it is revealed and published, the members of its document (docs/jpd1.md) besides. `pages`
 * is there where it has more than one. `commit` is null where an epoch is neither published nor written down
 * in another way.
 */
const epochShape = z.looseObject({
  instance_id: z.string(),
  epoch: z.int(),
  state: z.enum(['committed', 'running', 'ended', 'revealed']),
  commit: z.string().nullable(),
  beacon: z.string().nullable().optional(),
  /** Only until it is: verifiers refuse members that a document does not have. */
  published: z.literal(false).optional(),
  pages: z.int().min(2).optional(),
  seed: z.string().nullable(),
  header: z.looseObject({}).nullable(),
  groups: z.array(z.unknown()).nullable(),
});

/** A further page of an epoch that has several: more of its groups. */
const continuationPageShape = z.strictObject({
  instance_id: z.string(),
  epoch: z.int(),
  v: z.literal(1),
  page: z.int().min(1),
  groups: z.array(z.unknown()),
});

export const epochPageShape = z.union([epochShape, continuationPageShape]);
