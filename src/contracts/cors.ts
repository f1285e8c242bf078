import * as z from 'zod';

/** How the pattern of a cross-origin rule matches an origin (docs/rules/http.md "Cross-origin requests"). */
export const matchModes = ['exact', 'subdomain', 'regex'] as const;
export type MatchMode = (typeof matchModes)[number];

/** A rule as it is stored. */
export interface CorsRule {
  readonly pattern: string;
  readonly match_mode: MatchMode;
}

/** Rules of the whole system. */
export const maxCorsRules = 200;

const maxItems = 1000;

/** The body of O23. An unknown mode is `cors_mode_unknown`, no fault of the shape. */
export const newCorsRules = z.strictObject({
  cors_origin_list: z
    .array(z.strictObject({ pattern: z.string(), match_mode: z.string() }))
    .max(maxItems, 'payload_too_large'),
});

/** The body of O24: patterns. */
export const removedCorsRules = z.strictObject({
  cors_origin_list: z.array(z.string()).max(maxItems, 'payload_too_large'),
});

const corsRuleShape = z.strictObject({ pattern: z.string(), match_mode: z.enum(matchModes) });

/** All rules there are. */
export const corsRulesShape = z.strictObject({ cors_origin_list: z.array(corsRuleShape) });
export const corsRulesRemoved = z.strictObject({
  removed: z.int().min(0),
  cors_origin_list: z.array(corsRuleShape),
});
