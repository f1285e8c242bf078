const terminal: ReadonlySet<string> = new Set(['Cancelled', 'Completed', 'Switched']);

/** Nothing happens to an instance of this status any more; it is still read (docs/rules/statuses.md "Transitions"). */
export function isTerminal(status: string): boolean {
  return terminal.has(status);
}
