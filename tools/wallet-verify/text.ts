import type { CheckResult, ConformanceReport } from './verify-wallet.ts';

const shownCharacters = 600;
const words = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;

/**
 * One check as lines: a passed one is one line, a failed one says what was sent, what came back, and what to
 * do.
 */
export function resultText(result: CheckResult): string {
  const { id, rule, outcome, detail, exchange, advice } = result;
  const lines = [`${words[outcome]}  ${id.padEnd(28)} ${rule}`];
  if (outcome === 'skipped') lines.push(`           ${detail}`);
  if (outcome === 'failed') {
    lines.push(`    wrong  ${detail}`);
    if (exchange !== null) {
      lines.push(`    sent   ${exchange.call} POST ${exchange.path} ${cut(exchange.sent)}`);
      lines.push(
        `    back   ${exchange.status === null ? exchange.fault : `${exchange.status} ${cut(exchange.text)}`}`,
      );
    }
    lines.push(`    do     ${advice}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What follows the checks; the last line is the verdict. */
export function summaryText({ results, latencies, remains }: ConformanceReport): string {
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell) => String(cell).padStart(10)).join('');
  const table = latencies.map(({ call, calls, medianMs, p99Ms, maxMs }) =>
    row([call, calls, medianMs, p99Ms, maxMs]),
  );
  const lines = ['', row(['latency', 'calls', 'median ms', 'p99 ms', 'max ms']), ...table, ''];
  lines.push(...remains, 'The transactions of the checks stay in the wallet.');
  return `${[...lines, '', verdict(results)].join('\n')}\n`;
}

export function verdict(results: readonly CheckResult[]): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  const skipped = results.filter(({ outcome }) => outcome === 'skipped').length;
  const run = results.length - skipped;
  if (failed > 0)
    return `NOT CERTIFIED: ${failed} of ${run} checks failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return skipped > 0
    ? `CERTIFIED; skipped checks do not prevent it: ${skipped} of ${results.length} were, the lines above say what they need`
    : 'CERTIFIED';
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
}
