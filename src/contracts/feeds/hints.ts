import * as z from 'zod';

/** Events of `GET /config/events` (docs/rules/http.md "Events for screens"). */
const hintKinds = ['approval', 'instance', 'settlement', 'lane'] as const;
export type HintKind = (typeof hintKinds)[number];

/** The data of one: what has changed; without `id` several have. */
export const hintShape = z.strictObject({ id: z.string().optional() });
