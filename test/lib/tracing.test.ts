import { expect, it } from 'vitest';
import {
  maxTracesPerMessage,
  readTraceparent,
  readTraces,
  sampledParent,
  traceparentOf,
  writeTraces,
} from '../../src/lib/tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const text = `00-${traceId}-${spanId}-01`;

it('reads a traceparent as W3C Trace Context says', () => {
  expect(readTraceparent(text)).toEqual({ traceId, spanId, sampled: true });
  expect(readTraceparent(`00-${traceId}-${spanId}-00`)).toMatchObject({ sampled: false });
  // A later version may say more behind a hyphen.
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-more`)).toMatchObject({ sampled: true });
  expect(traceparentOf({ traceId, spanId })).toBe(text);
});

it.each([
  '',
  'x',
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-1`,
  `${text}, ${text}`,
])('%j is no traceparent', (wrong) => {
  expect(readTraceparent(wrong)).toBeNull();
});

it('traces of a message come back by their keys, only so many, and nothing that is none', () => {
  const traces = new Map([
    ['3', { traceId, spanId }],
    ['0b7d8f5e-6c0e-4f9c-9a51-0123456789ab', { traceId, spanId: 'ffffffffffffffff' }],
  ]);
  expect(readTraces(writeTraces(traces))).toEqual(traces);
  const many = new Map(Array.from({ length: 500 }, (_, index) => [String(index), { traceId, spanId }]));
  expect(readTraces(writeTraces(many)).size).toBe(maxTracesPerMessage);
  const written = [...many.keys()].map((key) => `${key}=${text}`).join(',');
  expect(readTraces(written).size).toBe(maxTracesPerMessage);
  for (const foreign of ['', '=', `=${text}`, `1=${traceId}`, `${'k'.repeat(65)}=${text}`, '1=', 'ü'])
    expect(readTraces(foreign).size).toBe(0);
  expect(sampledParent(`00-${traceId}-${spanId}-00`)).toBeUndefined();
});
