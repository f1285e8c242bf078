import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mayBeSkipped, runTool } from '../support/deploy-tools.ts';
import { alertRules, dashboardExpressions, dashboardPanels, metricsOf, promqlFaults } from './monitoring.ts';

test('PromQL is checked', () => {
  expect(promqlFaults('sum(rate(potstream_x_total[5m])')).not.toEqual([]);
  expect(promqlFaults('sum(rate(potstream_x_total[5m]))')).toEqual([]);
  expect(metricsOf('sum by (le) (rate(a_bucket{kind="b"}[5m])) > on (lane) c')).toEqual(['a_bucket', 'c']);
});

test.each(alertRules().map(({ alert, expr }) => [alert, expr]))('%s is an expression', (_, expression) => {
  expect(promqlFaults(expression as string)).toEqual([]);
  expect(metricsOf(expression as string)).not.toEqual([]);
});

test.skipIf(mayBeSkipped('promtool'))('Prometheus takes the rules of the alerts', () => {
  const { status, stdout } = runTool('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml']);
  expect(stdout).toContain(`SUCCESS: ${alertRules().length} rules found`);
  expect(status).toBe(0);
});

test.each(dashboardExpressions())('the dashboard: %s', (expression) => {
  expect(promqlFaults(expression)).toEqual([]);
  expect(metricsOf(expression)).not.toEqual([]);
});

test('no two parts of the dashboard have the same title', () => {
  const titles = dashboardPanels().map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('each alert has a chapter in the runbook, and each such chapter an alert', () => {
  const chapters = [...readFileSync('docs/operate.md', 'utf8').matchAll(/^#+ (Potstream\w+)$/gm)].map(
    ([, name]) => name,
  );
  expect(chapters.toSorted()).toEqual(
    alertRules()
      .map(({ alert }) => alert)
      .toSorted(),
  );
  for (const { alert, annotations } of alertRules())
    expect(annotations.runbook).toBe(`docs/operate.md#${alert.toLowerCase()}`);
});
