import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findingTexts } from '../../src/actors/audit/findings.ts';
import { alarmCodes } from '../../src/actors/ports/alarm-codes.ts';
import { errorStatus } from '../../src/contracts/errors/codes.ts';
import { halts, runbookOf } from '../../src/contracts/lanes/halts.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';
import { tableNames } from '../../src/ports.ts';
import { codeOf, filesWith, texts } from './support/imports.ts';
import { testFiles, unknownEvents, unknownKinds, untestedCommands, untestedRoutes } from './support/lists.ts';
import { readText } from './support/modules.ts';

/** A member of a closed list that nothing raises or opens promises something that is not built. */

/** Published with the API's list of codes, which is append-only, for parts that are not built yet. */
const reserved = ['owner_has_dependents'];
const declarations =
  /^(contracts\/(errors\/codes|lanes\/halts)|messages\/refusals|actors\/ports\/alarm-codes|ports)\.ts$/;

test('the search tells raising a code from comparing with one', () => {
  expect(unused(['not_a_code_of_ours'])).toEqual(['not_a_code_of_ours']);
  expect(unused(['idempotency_in_progress'])).toEqual([]);
});

test('something raises each error code that is not reserved, and none that is', () => {
  expect(unused(Object.keys(errorStatus)).toSorted()).toEqual(reserved);
});

test('the engine or the actors raise each refusal code', () => {
  const declared = codeOf(texts.get('messages/refusals.ts') ?? '').matchAll(/\| '(\w+)'/g);
  const codes = [...declared].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !(code in errorStatus))).toEqual([]);
  expect(unused(codes, /^(jackpot|actors)\//)).toEqual([]);
});

test('the actors raise each alarm and each halt', () => {
  expect(unused([...alarmCodes, ...Object.keys(halts)], /^(actors|lib|log)\//)).toEqual([]);
});

test('something opens each table', () => {
  expect(unused(tableNames, /^(?!log\/roles\/)/)).toEqual([]);
});

/** Those that stand as text in no file of `where` but in comparisons and declarations. */
function unused(names: readonly string[], where = /./): readonly string[] {
  return names.filter((name) => {
    const using = filesWith(new RegExp(`(?<![!=]==\\s*)['"]${name}['"]`));
    return !using.some((file) => where.test(file) && !declarations.test(file));
  });
}

test('each alarm about payments says what to do (docs/rules/operating.md "Alarms about payments")', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/rules', 'operating.md'), 'utf8');
  const codes = alarmCodes.filter((code) => code.startsWith('payments_'));
  expect(codes).toHaveLength(3);
  for (const code of codes) expect(page).toContain(`| \`${code}\` |`);
});

test('each halt has a chapter of the runbook', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/operate.md'), 'utf8');
  const chapters = [...page.matchAll(/^### ([a-z_]+)$/gm)].map(([, name]) => name);
  expect(chapters.toSorted()).toEqual(Object.keys(halts).toSorted());
  for (const code of Object.keys(halts)) expect(runbookOf(code)).toBe(`docs/operate.md#${code}`);
});

test('the runbook says what to do about each finding of an audit', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/operate.md'), 'utf8');
  const [, chapter = ''] = page.split('### PotstreamAuditFailed');
  const [table = ''] = chapter.split('\n### ');
  expect(Object.keys(findingTexts).filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
});

// Caught: kinds that the verifier did not know, of which only a proof of a won pot would have told.
test('the verifier, the pages and a test of the engine know each kind of a configuration', () => {
  expect(unknownKinds(readText, testFiles())).toEqual([]);
});

// Caught: a kind that counted as tested because the name of another one ends with its own.
test('a kind is not known by a part of another name', () => {
  const read = (file: string) => readText(file).replace("| 'MinInterval'", "| 'MinInterval' | 'Interval'");
  expect(unknownKinds(read, testFiles())).toContain('Interval: no test of the engine');
});

test('a test of the engine gives each command', () => {
  expect(untestedCommands(readText, testFiles())).toEqual([]);
});

test('the rules have a row for each event of the feeds, and a test of the fan-out meets it', () => {
  expect(unknownEvents(readText, testFiles())).toEqual([]);
});

test('a test of its own asks each route', () => {
  const paths = operations.map(({ path }) => path);
  expect(untestedRoutes(paths, readText, testFiles())).toEqual([]);
});
