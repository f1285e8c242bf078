import type { Values } from './settings.ts';

/** Where traces go and which requests have one, by OpenTelemetry's variables (docs/decisions/0305). */
export interface TracingTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** null: named after the role. */
  readonly serviceName: string | null;
  readonly resource: Readonly<Record<string, string>>;
  /** A caller's `traceparent` decides where it has one. */
  readonly isParentBased: boolean;
  /** Share of the other requests. */
  readonly ratio: number;
}

/** null: no traces. */
export function readTracing(values: Values): TracingTarget | null {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '');
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base === '' ? '' : `${base}/v1/traces`);
  if (url === '' || values.OTEL_SDK_DISABLED === 'true') return null;
  const sampler = values.OTEL_TRACES_SAMPLER;
  return {
    url,
    headers: pairsOf(values.OTEL_EXPORTER_OTLP_TRACES_HEADERS || values.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: values.OTEL_SERVICE_NAME || null,
    resource: pairsOf(values.OTEL_RESOURCE_ATTRIBUTES),
    isParentBased: sampler.startsWith('parentbased_'),
    ratio: sampler.endsWith('traceidratio')
      ? values.OTEL_TRACES_SAMPLER_ARG
      : Number(sampler.endsWith('always_on')),
  };
}

/** The variables of a target, for a child process. */
export function tracingVariables(target: TracingTarget | null): Record<string, string> {
  if (target === null) return { OTEL_SDK_DISABLED: 'true' };
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: target.url,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairsText(target.headers),
    OTEL_EXPORTER_OTLP_TIMEOUT: String(target.timeoutMs),
    OTEL_SERVICE_NAME: target.serviceName ?? '',
    OTEL_RESOURCE_ATTRIBUTES: pairsText(target.resource),
    OTEL_TRACES_SAMPLER: target.isParentBased ? 'parentbased_traceidratio' : 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(target.ratio),
  };
}

function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
    }),
  );
}

function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');
}
