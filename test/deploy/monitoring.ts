import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export function dashboardPanels(): readonly Panel[] {
  return (JSON.parse(readFileSync('deploy/grafana/potstream.json', 'utf8')) as { panels: readonly Panel[] })
    .panels;
}

/** The expressions of the dashboard as Prometheus gets them. */
export function dashboardExpressions(): string[] {
  return dashboardPanels().flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  );
}

/** Faults of a PromQL expression, by their text. */
export function promqlFaults(expression: string): string[] {
  const faults: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) faults.push(`at ${from}: ${expression.slice(from, to) || 'something is missing'}`);
    },
  });
  return faults;
}

/** The metrics that an expression reads. */
export function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, node }) {
      if (type.name !== 'VectorSelector') return;
      const name = node.getChild('Identifier');
      if (name !== null) names.push(expression.slice(name.from, name.to));
    },
  });
  return names;
}
