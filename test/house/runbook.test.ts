import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { alarmCodes } from '../../src/actors/ports/alarm-codes.ts';
import { halts } from '../../src/contracts/lanes/halts.ts';
import { deliveryAlarms } from '../../src/outbox/watch/alarm-codes.ts';
import { reportingAlarms } from '../../src/reporting/lane/trouble.ts';
import { storageAlarmCodes } from '../../src/storage/ports.ts';
import { codeOf, texts } from './support/imports.ts';
import { modulesOf } from './support/modules.ts';

/** The runbook has each code that a person may meet, and no other. */

const page = readFileSync(resolve(import.meta.dirname, '../../docs/operate.md'), 'utf8');
const toolTexts = modulesOf(['tools']).map(({ file, text }) => [file, text] as const);

test('the runbook has a row for each code of a log line, or a chapter', () => {
  const raised = [
    ...alarmCodes,
    ...union('ports.ts', 'readonly code:'),
    ...deliveryAlarms,
    ...reportingAlarms,
    ...storageAlarmCodes,
    ...union('wallet/execution/lane-context.ts', 'type ExecutionAlarm ='),
    ...union('wallet/role/alarms.ts', 'type WalletAlarm ='),
    ...literals(/POTSTREAM_([A-Z_]+)'/g, (file) => /emitWarning/.test(texts.get(file) ?? '')),
    ...literals(/logger\.(?:error|fatal)\(\{[^}]*code: '(\w+)'/g),
    ...literals(/alarm\(code: '(\w+)'/g),
    ...literals(/\.alarm\(\s*'(\w+)'/g),
    ...literals(/end\('(\w+)'\)/g, (file) => file === 'runtime/uncaught.ts'),
  ].map((code) => code.toLowerCase());
  expect(raised).toContain('nats_credentials_refused');
  expect(raised).toContain('uncaught_exception');
  const withoutChapter = [...new Set(raised)].filter((code) => !(code in halts));
  expect(rowsOf('## Alarm codes')).toEqual(withoutChapter.toSorted());
});

test('the runbook has a row for each reason for which a start is refused', () => {
  const refused = [
    ...union('runtime/start-error.ts', 'type StartErrorCode ='),
    ...union('actors/epochs/keys/key-ring.ts', 'readonly code:'),
    ...literals(/readonly code = '(\w+)'/g, (file) => /^(access\/keys\/seal|config\/\w+)\.ts$/.test(file)),
    ...literals(/: '(start_failed)'/g),
    // What connecting to nats-server refuses.
    ...literals(/new LogError\(\s*'(\w+)'/g, (file) => file === 'log/jetstream/connection.ts'),
  ];
  expect(refused.length).toBeGreaterThan(20);
  expect([...new Set(rowsOf('## Refused starts'))]).toEqual([...new Set(refused)].toSorted());
});

test('a link of the runbook to itself leads to a heading', () => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter((link) => !headings.includes(link))).toEqual([]);
});

/** The codes in the first column of the tables of a chapter. */
function rowsOf(heading: string): string[] {
  const [, behind = ''] = page.split(`\n${heading}\n`);
  const [chapter = ''] = behind.split('\n## ');
  const cells = [...chapter.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)).toSorted();
}

/** The members of a union of texts, in a file of src. */
function union(file: string, beginning: string): string[] {
  const [, behind = ''] = codeOf(texts.get(file) ?? '').split(beginning);
  const [members = ''] = behind.split(';');
  const found = [...members.matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
  expect(found, `${file}: ${beginning}`).not.toEqual([]);
  return found;
}

function literals(pattern: RegExp, where: (file: string) => boolean = () => true): string[] {
  const found = [...texts, ...toolTexts].flatMap(([file, text]) =>
    where(file) ? [...codeOf(text).matchAll(pattern)].map(([, code = '']) => code) : [],
  );
  expect(found, String(pattern)).not.toEqual([]);
  return found;
}
