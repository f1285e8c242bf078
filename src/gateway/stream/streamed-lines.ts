/** Lines of contribution streams that were answered since the start, for the metrics. */
export const streamedLines = { results: 0, errors: 0 };
