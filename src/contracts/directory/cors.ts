import * as z from 'zod';
import { ownIdField } from '../fields/identifier-fields.ts';
import { operatorFilter } from '../fields/lists.ts';

/** How the pattern of a cross-origin rule matches an origin (docs/rules/http.md "Cross-origin requests"). */
export const matchModes = ['exact', 'subdomain', 'regex'] as const;
export type MatchMode = (typeof matchModes)[number];

/** A rule as it is stored. */
export interface CorsRule {
  readonly pattern: string;
  readonly match_mode: MatchMode;
}

/** Rules of the whole system, and of an operator. */
export const maxCorsRules = { system: 200, operator: 20 } as const;

const maxItems = 1000;

/** Whose rules a request is about; absent: the caller's own. */
const operator_id = ownIdField.nullish();

/** The query of the list. */
export const corsRulesQuery = z.strictObject(operatorFilter);

/** The body of O23. An unknown mode is `cors_mode_unknown`, no fault of the shape. */
export const newCorsRules = z.strictObject({
  operator_id,
  cors_origin_list: z
    .array(z.strictObject({ pattern: z.string(), match_mode: z.string() }))
    .max(maxItems, 'payload_too_large'),
});

/** The body of O24: patterns. */
export const removedCorsRules = z.strictObject({
  operator_id,
  cors_origin_list: z.array(z.string()).max(maxItems, 'payload_too_large'),
});

const corsRuleShape = z.strictObject({ pattern: z.string(), match_mode: z.enum(matchModes) });

/** All rules of the operator, or of the system. */
export const corsRulesShape = z.strictObject({ cors_origin_list: z.array(corsRuleShape) });
export const corsRulesRemoved = z.strictObject({
  removed: z.int().min(0),
  cors_origin_list: z.array(corsRuleShape),
});
