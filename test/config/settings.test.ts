import { expect, it } from 'vitest';
import { describeSettings, environmentOf, readSettings } from '../../src/config/settings.ts';
import { program } from '../../src/main.ts';

it('every setting has its meaning, and a default that says what is read where nothing is set', () => {
  const settings = describeSettings();
  for (const { meaning } of settings) expect(meaning).not.toBe('');
  const defaults = Object.fromEntries(settings.map((each) => [each.name, each.default]));
  expect(readSettings(defaults)).toEqual(readSettings({}));
});

it('a child reads what its parent has read', () => {
  const settings = readSettings({
    POTSTREAM_DATA: '/data',
    POTSTREAM_DEMO: '1',
    POTSTREAM_TRAFFIC: '0',
    POTSTREAM_DEVELOPMENT: '1',
    POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: '3600',
    POTSTREAM_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb, x-tenant=7',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  expect(settings).toMatchObject({ traffic: false, development: true, maximumRateAgeSeconds: 3600 });
  expect(settings.trustedProxies).toEqual(['10.0.0.0/8', 'fd00::/8']);
  expect(settings.tracing).toMatchObject({
    url: 'https://collector.example.com/otlp/v1/traces',
    headers: { 'api-key': 'a,b', 'x-tenant': '7' },
    isParentBased: true,
    ratio: 0,
  });
  const environment = environmentOf(settings);
  expect(readSettings(environment)).toEqual(settings);
  const names = describeSettings().map(({ name }) => name);
  expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
});

it('takes an origin alone for where browsers reach the gateways', () => {
  const read = (POTSTREAM_PUBLIC_URL: string) => readSettings({ POTSTREAM_PUBLIC_URL }).publicUrl;
  expect(read('')).toBeNull();
  for (const origin of ['https://jackpots.example.com', 'https://j.example:8443', 'http://localhost:8080'])
    expect(read(origin)).toBe(origin);
  for (const wrong of [
    'http://jackpots.example.com',
    'https://j.example/',
    'https://J.example',
    'https://u@j.example',
  ])
    expect(() => read(wrong), wrong).toThrow('POTSTREAM_PUBLIC_URL');
});

it('refuses a number of gateways that no machine runs', async () => {
  for (const value of ['0', '17', '1.5', '-2', 'two', ''])
    expect(() => readSettings({ POTSTREAM_GATEWAYS: value }), value).toThrow('POTSTREAM_GATEWAYS');
  expect(readSettings({ POTSTREAM_GATEWAYS: '16' }).gateways).toBe(16);
  const start = program().parseAsync(['node', 'potstream', 'up', '--gateways', '17']);
  await expect(start).rejects.toThrow('an integer from 1 to 16');
});
