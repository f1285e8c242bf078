import * as z from 'zod';

const compared = z.discriminatedUnion('is', [
  z.strictObject({ column: z.string(), is: z.enum(['=', '>=', '<']), value: z.union([z.string(), z.int()]) }),
  z.strictObject({ column: z.string(), is: z.literal('in'), value: z.array(z.string()).min(1) }),
]);
/** What rows must meet: one of these at least, or all that is said. The caller's scope is among them. */
export const condition = z.union([compared, z.strictObject({ any: z.array(compared).min(1) })]);
export type BooksCondition = z.output<typeof condition>;

/** From the first value on, and before the second, where there are such. */
export function between(column: string, from?: string | number, to?: string | number): BooksCondition[] {
  return [
    ...(from === undefined ? [] : [{ column, is: '>=' as const, value: from }]),
    ...(to === undefined ? [] : [{ column, is: '<' as const, value: to }]),
  ];
}
