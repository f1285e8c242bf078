import { z } from 'zod';

/** The part of `config.ts` about traces: the standard variables of OpenTelemetry (docs/decisions/0305). */

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
/** `name=value` pairs as the standard has them. */
const pairs = z
  .string()
  .max(4096)
  .default('')
  .refine((text) => !/%(?![0-9A-Fa-f]{2})/.test(text), 'is not percent-encoded');
const url = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]);

export const tracingEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .default('')
    .describe('base URL of the OpenTelemetry collector, for OTLP over HTTP with JSON; empty: no traces'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url
    .default('')
    .describe('URL that takes traces; empty: /v1/traces below OTEL_EXPORTER_OTLP_ENDPOINT'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.describe(
    'headers for the collector, as name=value, comma-separated and percent-encoded',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs.describe('instead of OTEL_EXPORTER_OTLP_HEADERS'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['', 'http/json'])
    .default('http/json')
    .describe('protocol of the collector: only http/json'),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(10_000)
    .describe('milliseconds in which the collector must take a message'),
  OTEL_SDK_DISABLED: z.enum(['', 'true', 'false']).default('').describe('true: no traces'),
  OTEL_SERVICE_NAME: z
    .string()
    .max(128)
    .default('')
    .describe('service name of the traces; empty: potstream-<role>'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.describe(
    'attributes of the process, as name=value, comma-separated and percent-encoded',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default('parentbased_traceidratio')
    .describe(`which requests are traced: ${samplers.join(', ')}`),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('share of the requests that a sampler with a ratio takes'),
};

type TracingValues = z.output<z.ZodObject<typeof tracingEnvironment>>;

/** Where traces go and which requests have one. */
export interface TracingSettings {
  /** null: no traces. */
  readonly tracing: TracingTarget | null;
}

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

/** Where traces go, from the parsed variables. */
export function readTracingSettings(values: TracingValues): TracingSettings {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '');
  const target = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base === '' ? '' : `${base}/v1/traces`);
  if (target === '' || values.OTEL_SDK_DISABLED === 'true') return { tracing: null };
  const sampler = values.OTEL_TRACES_SAMPLER;
  return {
    tracing: {
      url: target,
      headers: pairsOf(values.OTEL_EXPORTER_OTLP_TRACES_HEADERS || values.OTEL_EXPORTER_OTLP_HEADERS),
      timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
      serviceName: values.OTEL_SERVICE_NAME || null,
      resource: pairsOf(values.OTEL_RESOURCE_ATTRIBUTES),
      isParentBased: sampler.startsWith('parentbased_'),
      ratio: ratioOf(sampler, values.OTEL_TRACES_SAMPLER_ARG),
    },
  };
}

function ratioOf(sampler: TracingValues['OTEL_TRACES_SAMPLER'], ratio: number): number {
  if (sampler.endsWith('traceidratio')) return ratio;
  return sampler.endsWith('always_on') ? 1 : 0;
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

export function environmentOfTracing({ tracing }: TracingSettings): Record<string, string> {
  if (tracing === null) return { OTEL_SDK_DISABLED: 'true' };
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracing.url,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: textOf(tracing.headers),
    OTEL_EXPORTER_OTLP_TIMEOUT: String(tracing.timeoutMs),
    OTEL_SERVICE_NAME: tracing.serviceName ?? '',
    OTEL_RESOURCE_ATTRIBUTES: textOf(tracing.resource),
    OTEL_TRACES_SAMPLER: tracing.isParentBased ? 'parentbased_traceidratio' : 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(tracing.ratio),
  };
}

function textOf(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');
}
