import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addNatsCommands } from '../../../src/cli/nats/commands.ts';
import { terminal } from '../../../src/cli/terminal/output.ts';
import { renderRoles } from '../../../src/supervisor/nats-server/users.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function roles(...options: readonly string[]): Promise<string> {
  const write = vi.spyOn(terminal, 'write').mockImplementation(() => {});
  const potstream = new Command();
  addNatsCommands(potstream);
  await potstream.parseAsync(['nats', 'roles', ...options], { from: 'user' });
  return write.mock.calls.join('');
}

it.each([
  { environment: undefined, options: [], lanes: 4 },
  { environment: '7', options: [], lanes: 7 },
  { environment: '7', options: ['--lanes', '9'], lanes: 9 },
])('roles are for $lanes lanes with POTSTREAM_LANES $environment and $options', async (given) => {
  vi.stubEnv('POTSTREAM_LANES', given.environment);
  expect(await roles(...given.options)).toBe(renderRoles(given.lanes));
});
