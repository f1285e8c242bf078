import { expect, it } from 'vitest';
import { freePortNear } from '../../src/supervisor/free-port.ts';

it('a port that was given to another of the same system is never given again', async () => {
  const all = Array.from({ length: 65_535 }, (_, index) => index + 1);
  await expect(freePortNear(0, '127.0.0.1', all)).rejects.toThrow('taken');
  await expect(freePortNear(40_000, '127.0.0.1', all)).rejects.toThrow('taken');
});
