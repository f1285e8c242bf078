/** What a page or a program needs to recompute published epochs (docs/jpd1.md). */
export { checks } from './checks.ts';
export { isContinuationPage, NotRevealed } from './document.ts';
export { Followed } from './followed.ts';
export type { VerifierHashing } from './hashing.ts';
export { DuplicateMember, parsePublic } from './json.ts';
export { type Ending, endingOf } from './neighbours.ts';
export type { CheckResult, Report, ReportedDraw, ReportedEvaluation, ReportedWin } from './report.ts';
export { EpochVerification, type VerifyOptions, verifyEpoch } from './verify.ts';
