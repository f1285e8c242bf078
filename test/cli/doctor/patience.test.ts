import { expect, it } from 'vitest';
import { patiently } from '../../../src/cli/doctor/patience.ts';
import { ConfigurationError } from '../../../src/config/composed.ts';

const minuteMs = 60_000;

it('a check that fails for a moment is no problem', async () => {
  let tries = 0;
  const check = async () => {
    tries += 1;
    if (tries < 3) throw new Error('no answer');
    return 'fine';
  };
  expect(await patiently(check, minuteMs)).toBe('fine');
});

it('one that goes on failing is, and a wrong setting at once', async () => {
  const fails = (error: Error) => async () => Promise.reject(error);
  await expect(patiently(fails(new Error('no answer')), 0)).rejects.toThrow('no answer');
  await expect(patiently(fails(new ConfigurationError('7 lanes')), minuteMs)).rejects.toThrow('7 lanes');
});
