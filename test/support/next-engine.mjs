/**
 * The versions of a build with one more, as the next release may bring it: a contribution's bonus is an atom larger. Plain
 * JavaScript, because a copy of the program imports it too.
 * @param {import('../../src/jackpot/lane/versions/versions.ts').EngineVersions} versions
 * @returns {import('../../src/jackpot/lane/versions/versions.ts').EngineVersions}
 */
export function withNextVersion(versions) {
  const newest = Math.max(...versions.keys());
  const handlers = versions.get(newest);
  if (handlers === undefined) throw new Error('There is no version of the engine.');
  return new Map([...versions, [newest + 1, { ...handlers, contribute: changed(handlers.contribute) }]]);
}

/**
 * @param {import('../../src/jackpot/lane/versions/versions.ts').EngineVersion['contribute']} contribute
 * @returns {import('../../src/jackpot/lane/versions/versions.ts').EngineVersion['contribute']}
 */
function changed(contribute) {
  return (state, entry, command, index) => {
    const outcome = contribute(state, entry, command, index);
    if (outcome.kind !== 'Contributed') return outcome;
    const results = outcome.results.map((result) => ({ ...result, bonusAtoms: result.bonusAtoms + 1n }));
    return { ...outcome, results };
  };
}
