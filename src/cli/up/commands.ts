import type { Command } from 'commander';
import { readSettings } from '../../config/settings.ts';
import { maxProcesses } from '../../config/table.ts';
import { asInteger } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';

interface UpFlags {
  readonly traffic: boolean;
  readonly demo: boolean;
  readonly hosts: number;
  readonly gateways?: number;
  readonly fanouts?: number;
  readonly publicDemo?: boolean;
  readonly development?: boolean;
  readonly insecureDurability?: boolean;
}

const asProcesses = asInteger(1, maxProcesses);

/** `potstream up`. */
export function addUpCommand(potstream: Command): void {
  potstream
    .command('up')
    .description('run everything on this machine: nats-server, all roles, the demo')
    .option('--no-traffic', 'the demo sends no contributions')
    .option('--no-demo', 'start without the demo')
    .option(
      '--hosts <number>',
      'number of actor hosts: with two or more, each lane has a warm standby',
      asProcesses,
      1,
    )
    .option(
      '--gateways <number>',
      'number of gateway processes behind one port (POTSTREAM_GATEWAYS)',
      asProcesses,
    )
    .option(
      '--fanouts <number>',
      'number of fan-out processes behind one port (POTSTREAM_FANOUTS)',
      asProcesses,
    )
    .option('--public-demo', 'run the demo even if others can reach POTSTREAM_HOST')
    .option('--development', 'wallets and webhooks may use plain HTTP to loopback (POTSTREAM_DEVELOPMENT)')
    .option('--insecure-durability', 'start even if nats-server does not sync every message')
    .action(async (options: UpFlags) => {
      const { up } = await import('./up.ts');
      process.title = 'potstream up';
      const read = readSettings();
      const settings = {
        ...read,
        traffic: read.traffic && options.traffic,
        demo: options.demo,
        gateways: options.gateways ?? read.gateways,
        fanouts: options.fanouts ?? read.fanouts,
        development: read.development ?? (options.development === true ? true : null),
        insecureDurability: read.insecureDurability || options.insecureDurability === true,
      };
      const { demo, hosts, publicDemo = false } = options;
      process.exit(await up(settings, { demo, actorHosts: hosts, publicDemo, print: terminal.print }));
    });
}
