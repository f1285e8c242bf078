import { describe, expect, it } from 'vitest';
import { exposureFault, isDevelopment } from '../../../src/cli/up/exposure.ts';
import { up } from '../../../src/cli/up/up.ts';
import { readSettings } from '../../../src/config/settings.ts';

const listeners = (host: string, variable = 'POTSTREAM_HOST') => [
  { variables: { host: variable, port: '' }, host },
];

describe('the demo', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('runs on %s', (host) => {
    expect(exposureFault({ listeners: listeners(host), demo: true, publicDemo: false })).toBeNull();
  });

  it.each(['0.0.0.0', '::', '10.0.0.7', 'jackpots.example', '127.0.0.1.example', ''])(
    'is refused on %j, unless told so',
    (host) => {
      expect(exposureFault({ listeners: listeners(host), demo: true, publicDemo: false })).toMatch(
        /--no-demo.*--public-demo/,
      );
      expect(exposureFault({ listeners: listeners(host), demo: true, publicDemo: true })).toBeNull();
      expect(exposureFault({ listeners: listeners(host), demo: false, publicDemo: false })).toBeNull();
    },
  );

  it('is refused where any of its processes can be reached', () => {
    const wallet = [...listeners('127.0.0.1'), ...listeners('0.0.0.0', 'POTSTREAM_WALLET_HOST')];
    expect(exposureFault({ listeners: wallet, demo: true, publicDemo: false })).toMatch(
      /^POTSTREAM_WALLET_HOST is 0\.0\.0\.0/,
    );
    expect(exposureFault({ listeners: wallet, demo: false, publicDemo: false })).toBeNull();
  });
});

it('with second factors that are required the demo, which has none, is refused', async () => {
  const settings = readSettings({ POTSTREAM_SYSTEM_SECOND_FACTOR: 'required' });
  const options = { demo: true, publicDemo: false, actorHosts: 1, print: () => {} };
  await expect(up(settings, options)).rejects.toThrow('Start with --no-demo.');
});

describe('development', () => {
  it('is what the switch says', () => {
    for (const demo of [false, true])
      for (const said of [false, true]) expect(isDevelopment({ demo, said })).toBe(said);
  });

  it('is on with the demo, whose wallet is on loopback, and off without it whatever the bind is', () => {
    expect(isDevelopment({ demo: true, said: null })).toBe(true);
    expect(isDevelopment({ demo: false, said: null })).toBe(false);
  });
});
