/** `<instance>/<epoch>.json` of the archive EPOCHS: a revealed epoch with the records of its draws. */
export function epochDocumentName(instance: string, epoch: number): string {
  return `${instance}/${epoch}.json`;
}
