const terminal: ReadonlySet<string> = new Set(['Cancelled', 'Completed', 'Switched']);

/** An instance of this status changes no more; it is still read (docs/rules/statuses.md "Transitions"). */
export function isTerminal(status: string): boolean {
  return terminal.has(status);
}
