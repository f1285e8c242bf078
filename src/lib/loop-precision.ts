/**
 * How often the clock behind `nodejs_eventloop_lag` ticks, in milliseconds, in roles whose stops below a twentieth of a second delay nobody.
 * Each tick wakes the process up, also while there is nothing to do (docs/rules/performance.md
 * "Idle processes").
 */
export const coarseLoopPrecisionMs = 50;
