/**
 * `<instance>/<epoch>.json` of the archive EPOCHS: a revealed epoch with the records of its draws. What does not fit
 * into it stands in further pages, `<instance>/<epoch>.<page>.json`, which are stored before it: where the first page
 * is, the others are.
 */
export function epochDocumentName(instance: string, epoch: number, page = 0): string {
  return page === 0 ? `${instance}/${epoch}.json` : `${instance}/${epoch}.${page}.json`;
}
