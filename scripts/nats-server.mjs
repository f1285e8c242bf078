// The nats-server that `potstream up` would use; fetched when there is none. To be called after the build.
import { join } from 'node:path';
import { giveUp, print, root } from './set-up.mjs';

export async function findNatsServer() {
  const finder = await import('../dist/src/supervisor/nats-server/find.js');
  try {
    const found = await finder.findNatsServer({
      namedPath: process.env.POTSTREAM_NATS_SERVER || null,
      searchPath: process.env.PATH ?? '',
      privatePath: join(root, '.potstream/bin/nats-server'),
      print,
    });
    return found.path;
  } catch (error) {
    return giveUp(error.message);
  }
}
