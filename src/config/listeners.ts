import { z } from 'zod';

/**
 * The part of `config.ts` that says where processes listen, and how they leave their callers
 * (docs/rules/operating.md "Behind a balancer").
 */

const port = z.coerce.number().int().min(0).max(65_535);
const host = z.string().min(1).default('127.0.0.1');
const maxDrainWaitSeconds = 60;
/** Of one role on one machine: more would only compete for its cores. */
export const maxProcesses = 16;

export const yesOrNo = z
  .enum(['', '0', '1', 'true', 'false'])
  .transform((text) => text === '1' || text === 'true');

export const listenerShape = {
  POTSTREAM_HOST: host.describe('address that the gateway listens on'),
  POTSTREAM_PORT: port.default(8080).describe('port that the gateway listens on'),
  POTSTREAM_GATEWAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxProcesses)
    .default(1)
    .describe(
      'number of gateway processes that up runs behind POTSTREAM_PORT; limits per gateway hold for each',
    ),
  POTSTREAM_LISTEN_FD: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(3).max(1023)])
    .default(null)
    .describe('socket that the gateway inherits in place of a port of its own; set by up'),
  POTSTREAM_FANOUT_HOST: host.describe(
    'address that the fan-out listens on, and at which a gateway reaches it; on another than loopback only trusted proxies should reach it',
  ),
  POTSTREAM_FANOUT_PORT: port
    .default(0)
    .describe('port of the fan-out, which takes websockets from gateways and balancers; 0: any free port'),
  POTSTREAM_PUBLIC_DEMO: yesOrNo
    .prefault('0')
    .describe("the demo's page may have any Host, not only one of this machine; set by up --public-demo"),
  POTSTREAM_WALLET_HOST: host.describe('address that the reference wallet listens on'),
  POTSTREAM_WALLET_PORT: port.default(0).describe('port of the reference wallet; 0: any free port'),
  POTSTREAM_OPERATIONS_HOST: host.describe(
    'address for /livez, /readyz and /metrics of this process; it asks for no credential, so only scrapers and balancers should reach it',
  ),
  POTSTREAM_OPERATIONS_PORT: port
    .default(0)
    .describe('port for /livez, /readyz and /metrics of this process; 0: any free port'),
  POTSTREAM_DRAIN_WAIT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(maxDrainWaitSeconds)
    .default(0)
    .describe(
      'how long a gateway that is asked to stop still serves while /readyz says 503: the time a balancer needs to notice',
    ),
};

type ListenerValues = z.output<z.ZodObject<typeof listenerShape>>;

/** The parsed variables of `listenerShape`, where each is described. */
export type ListenerSettings = {
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  readonly gateways: number;
  /** null: it listens at its port. */
  readonly listenFd: number | null;
  readonly fanoutHost: string;
  readonly fanoutPort: number;
  readonly publicDemo: boolean;
  readonly walletHost: string;
  readonly walletPort: number;
  readonly operationsHost: string;
  readonly operationsPort: number;
  readonly drainWaitMs: number;
};

export function readListenerSettings(values: ListenerValues): ListenerSettings {
  return {
    gatewayHost: values.POTSTREAM_HOST,
    gatewayPort: values.POTSTREAM_PORT,
    gateways: values.POTSTREAM_GATEWAYS,
    listenFd: values.POTSTREAM_LISTEN_FD,
    fanoutHost: values.POTSTREAM_FANOUT_HOST,
    fanoutPort: values.POTSTREAM_FANOUT_PORT,
    publicDemo: values.POTSTREAM_PUBLIC_DEMO,
    walletHost: values.POTSTREAM_WALLET_HOST,
    walletPort: values.POTSTREAM_WALLET_PORT,
    operationsHost: values.POTSTREAM_OPERATIONS_HOST,
    operationsPort: values.POTSTREAM_OPERATIONS_PORT,
    drainWaitMs: values.POTSTREAM_DRAIN_WAIT_SECONDS * 1000,
  };
}

export function environmentOfListeners(settings: ListenerSettings): Record<string, string> {
  return {
    POTSTREAM_HOST: settings.gatewayHost,
    POTSTREAM_PORT: String(settings.gatewayPort),
    POTSTREAM_GATEWAYS: String(settings.gateways),
    POTSTREAM_LISTEN_FD: String(settings.listenFd ?? ''),
    POTSTREAM_FANOUT_HOST: settings.fanoutHost,
    POTSTREAM_FANOUT_PORT: String(settings.fanoutPort),
    POTSTREAM_PUBLIC_DEMO: settings.publicDemo ? '1' : '0',
    POTSTREAM_WALLET_HOST: settings.walletHost,
    POTSTREAM_WALLET_PORT: String(settings.walletPort),
    POTSTREAM_OPERATIONS_HOST: settings.operationsHost,
    POTSTREAM_OPERATIONS_PORT: String(settings.operationsPort),
    POTSTREAM_DRAIN_WAIT_SECONDS: String(settings.drainWaitMs / 1000),
  };
}
