import { expect, test } from 'vitest';
import { natsServerPath } from '../support/nats-server.ts';
import { runInNamespaces, whyNoNamespaces } from './namespaces.ts';

const reason = whyNoNamespaces();
if (reason !== null) console.log(`The deployments are not run: ${reason}.`);

/** What the files of deploy/ describe, run as processes in network namespaces. Each is in a process of its own. */
test.skipIf(reason !== null).each(['compose', 'kubernetes'])(
  '%s: all roles work as it describes them',
  async (kind) => {
    const { code, output } = runInNamespaces('test/topology/deployment.inside.ts', {
      POTSTREAM_NATS_SERVER: await natsServerPath(),
      POTSTREAM_TOPOLOGY_KIND: kind,
    });
    console.log(output);
    expect(code, output).toBe(0);
  },
);
