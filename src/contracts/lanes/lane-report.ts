/**
 * How a lane stands, as probes tell it. Beside what its host says of itself (LaneCondition): `starting`
 * no host owns it yet but one is about to; `silent` no host has said anything of it for a while, so its
 * host is gone, hung, or of a version that says something else.
 */
export interface LaneReport {
  readonly lane: number;
  readonly condition: 'serving' | 'full' | 'stopped' | 'starting' | 'silent';
  /** Why it does not serve; '' where it does. */
  readonly code: string;
}

/** A lane without room for contributions still answers lookups. */
export function servesReads(report: LaneReport): boolean {
  return report.condition === 'serving' || report.condition === 'full';
}
