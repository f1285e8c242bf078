/**
 * What the versions of the engine do differently (docs/rules/log.md "Engine versions"). A rule stays as it was for the commands of an
 * earlier version, so a rule that changes is asked here and both ways of it stay in the code.
 */
export interface VersionRules {
  /** An explicit opt-out ends new contributions of the player to the instance. */
  readonly optOutsEndContributions: boolean;
}

export function rulesOf(version: number): VersionRules {
  const second = version >= 2;
  return { optOutsEndContributions: second };
}
