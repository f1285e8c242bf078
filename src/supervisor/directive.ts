/** What to do with a child that has ended. */
export type Directive =
  | { readonly kind: 'restart'; readonly afterMs: number }
  /** Restarting does not help: the whole tree drains and ends. */
  | { readonly kind: 'escalate'; readonly reason: string };
