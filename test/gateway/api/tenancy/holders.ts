/** Whose a thing is. */
export const holders = ['acme:main', 'acme:vip', 'acme', 'rival:main'] as const;
export type Holder = (typeof holders)[number];

/** A text that a holder's things have in their names. */
export const markOf = (holder: Holder): string => `Property of ${holder.replace(':', ' ')}.`;
