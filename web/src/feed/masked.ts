/** First two characters and `***`, as players see each other everywhere. */
export function masked(player: string): string {
  return player.endsWith('***') ? player : `${[...player].slice(0, 2).join('')}***`;
}
