/** What tells winners apart. One message may have several wins of a player in a pot, and one win several winners. */
const parts = [
  ...(['instance_id', 'instance_sequence', 'kind', 'pot_id', 'cycle'] as const),
  ...(['brand_id', 'player_id', 'tier', 'ticket'] as const),
];

export function winKey(win: Readonly<Record<(typeof parts)[number], string | number | null>>): string {
  return JSON.stringify(parts.map((part) => win[part]));
}
