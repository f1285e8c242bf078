import { SimServer } from '../support/sim-server.ts';
import { SimWorld, settle } from '../support/sim-world.ts';
import { lanesOfContract, logContract } from './contract.ts';

const patienceMs = 60_000;
const stepMs = 10;

logContract('simulated', async () => {
  const world = new SimWorld(1);
  const server = new SimServer(world, lanesOfContract);
  const node = server.connect('contract');
  const until = async (done: () => boolean, what: string): Promise<void> => {
    const deadlineMs = world.nowMs + patienceMs;
    while (!done()) {
      if (world.nowMs > deadlineMs) throw new Error(`${what}: did not happen`);
      await world.passes(stepMs);
      await settle();
    }
  };
  return {
    log: node.log,
    bus: node.bus,
    until,
    run: async (work) => {
      let settled = false;
      const note = (): void => {
        settled = true;
      };
      work.then(note, note);
      await until(() => settled, 'an answer');
      return work;
    },
    settled: async () => {},
    kill: async () => {
      server.up = false;
    },
    restart: async () => {
      server.up = true;
    },
    close: async () => {},
  };
});
