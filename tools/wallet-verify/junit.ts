import type { ConformanceReport } from './verify-wallet.ts';

/** The report as a JUnit file: one test case a check. */
export function junitText({ results, url }: ConformanceReport): string {
  const count = (outcome: string) => results.filter((one) => one.outcome === outcome).length;
  const seconds = (ms: number) => (ms / 1000).toFixed(3);
  const total = results.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const cases = results.map(({ id, rule, outcome, tookMs, detail, advice, exchange }) => {
    const open = `<testcase classname="wallet.${escaped(id.split('.')[0] ?? '')}" name="${escaped(`${id}: ${rule}`)}" time="${seconds(tookMs)}"`;
    if (outcome === 'passed') return `    ${open}/>`;
    if (outcome === 'skipped') return `    ${open}><skipped message="${escaped(detail ?? '')}"/></testcase>`;
    const more = [
      advice,
      exchange?.path ?? '',
      exchange?.sent ?? '',
      `${exchange?.status ?? ''} ${exchange?.text ?? ''}`,
    ];
    return `    ${open}><failure message="${escaped(detail ?? '')}">${escaped(more.join('\n'))}</failure></testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${escaped(`potstream wallet verify ${url}`)}" tests="${results.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${seconds(total)}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML does not have become a question mark. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?')
    .replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
