import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * The settings of a process, read once from the environment. This file is the only reader of `process.env`;
 * `potstream up` hands its children their settings as the environment that `environmentOf` writes.
 */

const port = z.coerce.number().int().min(0).max(65_535);
const yesOrNo = z.enum(['', '0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');

/** One row a setting: the variable's name, and the shape with its default. */
const environmentShape = z.object({
  POTSTREAM_DATA: z.string().min(1).default('./.potstream'),
  POTSTREAM_LANES: z.coerce.number().int().min(1).max(1024).default(4),
  POTSTREAM_NATS_URL: z.string().min(1).default('nats://127.0.0.1:4222'),
  POTSTREAM_NATS_MONITOR_URL: z.string().default(''),
  POTSTREAM_NATS_USER: z.string().default(''),
  POTSTREAM_NATS_PASSWORD: z.string().default(''),
  POTSTREAM_NATS_SERVER: z.string().default(''),
  POTSTREAM_REPLICAS: z.coerce
    .number()
    .int()
    .refine((count) => count === 1 || count === 3 || count === 5, 'must be 1, 3 or 5')
    .default(1),
  POTSTREAM_HOST: z.string().min(1).default('127.0.0.1'),
  POTSTREAM_PORT: port.default(8080),
  POTSTREAM_FANOUT_PORT: port.default(0),
  POTSTREAM_WALLET_PORT: port.default(0),
  POTSTREAM_FANOUT_SOCKETS: z.coerce.number().int().min(1).max(1_000_000).default(18_000),
  POTSTREAM_STATUS_PERIOD_MS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  POTSTREAM_OPERATIONS_PORT: port.default(0),
  POTSTREAM_PUBLIC_GETS_PER_SECOND: z.coerce.number().int().min(1).max(10_000_000).default(100),
  POTSTREAM_FAILED_LOGINS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(10),
  POTSTREAM_HOLD_READY: yesOrNo.default(false),
  POTSTREAM_DEMO: yesOrNo.default(false),
  POTSTREAM_TRAFFIC: yesOrNo.default(true),
  POTSTREAM_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  POTSTREAM_DEVELOPMENT: z
    .enum(['', '0', '1', 'true', 'false'])
    .transform((text) => (text === '' ? null : text === '1' || text === 'true'))
    .default(null),
  POTSTREAM_INSECURE_DURABILITY: yesOrNo.default(false),
  POTSTREAM_EPOCH_SECONDS: z.coerce.number().int().min(1).default(86_400),
  POTSTREAM_EPOCH_SEQUENCES: z.coerce
    .number()
    .int()
    .min(1000)
    .max(2 ** 20)
    .default(2 ** 20),
  POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(1)])
    .default(null),
});

export type Settings = {
  /** Absolute path. Keys are in `<data>/keys`, JetStream's files in `<data>/nats`, ports and pids in `<data>/run`. */
  readonly dataDirectory: string;
  /** Lanes of the system, fixed when it is created. */
  readonly lanes: number;
  readonly natsUrl: string;
  /** Base URL of the server's monitoring port (`/varz`), or null where the process may not see it. */
  readonly natsMonitorUrl: string | null;
  readonly natsCredentials: { readonly user: string; readonly password: string } | null;
  /** The nats-server binary to prefer, or null to search for one. */
  readonly natsServerPath: string | null;
  /** Replicas of every stream and bucket: 1 when embedded, 3 in production. */
  readonly replicas: number;
  /** Address the gateway listens on. */
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  /** The fan-out listens here on loopback; the gateway proxies websocket upgrades to it. 0 means any free port. */
  readonly fanoutPort: number;
  /** The reference wallet listens here on loopback. 0 means any free port. */
  readonly walletPort: number;
  /** Websockets that one fan-out process takes. */
  readonly fanoutSockets: number;
  /** How often the jackpot status feed (O4) tells the status. */
  readonly statusPeriodMs: number;
  /** /livez, /readyz and /metrics of this process, on loopback. 0 means any free port. */
  readonly operationsPort: number;
  /** GETs without a credential that one address may make. */
  readonly publicGetsPerSecond: number;
  /** Of one pair of user name and address. */
  readonly failedLoginsPerMinute: number;
  /** The gateway's public /readyz answers 503 until the parent releases it. */
  readonly holdReady: boolean;
  /** The demo runs here: the gateway then has the operations of its page. Never in production. */
  readonly demo: boolean;
  /** The demo sends contributions by itself. */
  readonly traffic: boolean;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /**
   * Plain HTTP to loopback is allowed for wallets and webhooks. null: not said, which is yes for `up` with the demo or on
   * loopback, and no everywhere else.
   */
  readonly development: boolean | null;
  /** Start although nats-server does not fsync every message. */
  readonly insecureDurability: boolean;
  /** Length of a draw epoch, in seconds of log time. This and the next two are in force from the moment a host owns a lane. */
  readonly epochSeconds: number;
  /** Length of a draw epoch, in sequence numbers of its instance; at least 1000. */
  readonly epochSequences: number;
  /** Amounts in a currency whose brand's rates are older are refused; null: never (domain.md 1). */
  readonly maximumRateAgeSeconds: number | null;
};

/** What a role gives back once it runs. `stop` drains it; it resolves when nothing is left behind. */
export type Role = { stop(): Promise<void> };

/** What `<role>/main.ts` exports. */
export type RunRole = (settings: Settings) => Promise<Role>;

/** A variable of the environment that cannot be used; the message is for the person who set it. */
export class ConfigurationError extends Error {
  readonly code = 'configuration_invalid';
  readonly retryable = false;
}

/**
 * Reads the settings from an environment, by default the process's own.
 * @throws ConfigurationError naming every variable that is wrong.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const parsed = environmentShape.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigurationError(`The environment cannot be used. ${lines.join('; ')}.`);
  }
  const values = parsed.data;
  return {
    dataDirectory: resolve(values.POTSTREAM_DATA),
    lanes: values.POTSTREAM_LANES,
    natsUrl: values.POTSTREAM_NATS_URL,
    natsMonitorUrl: values.POTSTREAM_NATS_MONITOR_URL || null,
    natsCredentials:
      values.POTSTREAM_NATS_USER === ''
        ? null
        : { user: values.POTSTREAM_NATS_USER, password: values.POTSTREAM_NATS_PASSWORD },
    natsServerPath: values.POTSTREAM_NATS_SERVER || null,
    replicas: values.POTSTREAM_REPLICAS,
    gatewayHost: values.POTSTREAM_HOST,
    gatewayPort: values.POTSTREAM_PORT,
    fanoutPort: values.POTSTREAM_FANOUT_PORT,
    walletPort: values.POTSTREAM_WALLET_PORT,
    fanoutSockets: values.POTSTREAM_FANOUT_SOCKETS,
    statusPeriodMs: values.POTSTREAM_STATUS_PERIOD_MS,
    operationsPort: values.POTSTREAM_OPERATIONS_PORT,
    publicGetsPerSecond: values.POTSTREAM_PUBLIC_GETS_PER_SECOND,
    failedLoginsPerMinute: values.POTSTREAM_FAILED_LOGINS_PER_MINUTE,
    holdReady: values.POTSTREAM_HOLD_READY,
    demo: values.POTSTREAM_DEMO,
    traffic: values.POTSTREAM_TRAFFIC,
    logLevel: values.POTSTREAM_LOG_LEVEL,
    development: values.POTSTREAM_DEVELOPMENT,
    insecureDurability: values.POTSTREAM_INSECURE_DURABILITY,
    epochSeconds: values.POTSTREAM_EPOCH_SECONDS,
    epochSequences: values.POTSTREAM_EPOCH_SEQUENCES,
    maximumRateAgeSeconds: values.POTSTREAM_MAXIMUM_RATE_AGE_SECONDS,
  };
}

/** The environment from which `readSettings` reads these settings again; for a child process. */
export function environmentOf(settings: Settings): Record<string, string> {
  return {
    POTSTREAM_DATA: settings.dataDirectory,
    POTSTREAM_LANES: String(settings.lanes),
    POTSTREAM_NATS_URL: settings.natsUrl,
    POTSTREAM_NATS_MONITOR_URL: settings.natsMonitorUrl ?? '',
    POTSTREAM_NATS_USER: settings.natsCredentials?.user ?? '',
    POTSTREAM_NATS_PASSWORD: settings.natsCredentials?.password ?? '',
    POTSTREAM_NATS_SERVER: settings.natsServerPath ?? '',
    POTSTREAM_REPLICAS: String(settings.replicas),
    POTSTREAM_HOST: settings.gatewayHost,
    POTSTREAM_PORT: String(settings.gatewayPort),
    POTSTREAM_FANOUT_PORT: String(settings.fanoutPort),
    POTSTREAM_WALLET_PORT: String(settings.walletPort),
    POTSTREAM_FANOUT_SOCKETS: String(settings.fanoutSockets),
    POTSTREAM_STATUS_PERIOD_MS: String(settings.statusPeriodMs),
    POTSTREAM_OPERATIONS_PORT: String(settings.operationsPort),
    POTSTREAM_PUBLIC_GETS_PER_SECOND: String(settings.publicGetsPerSecond),
    POTSTREAM_FAILED_LOGINS_PER_MINUTE: String(settings.failedLoginsPerMinute),
    POTSTREAM_HOLD_READY: settings.holdReady ? '1' : '0',
    POTSTREAM_DEMO: settings.demo ? '1' : '0',
    POTSTREAM_TRAFFIC: settings.traffic ? '1' : '0',
    POTSTREAM_LOG_LEVEL: settings.logLevel,
    POTSTREAM_DEVELOPMENT: settings.development === null ? '' : settings.development ? '1' : '0',
    POTSTREAM_INSECURE_DURABILITY: settings.insecureDurability ? '1' : '0',
    POTSTREAM_EPOCH_SECONDS: String(settings.epochSeconds),
    POTSTREAM_EPOCH_SEQUENCES: String(settings.epochSequences),
    POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: String(settings.maximumRateAgeSeconds ?? ''),
  };
}

/** The environment a child inherits beside its settings: everything of ours but the settings. */
export function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('POTSTREAM_'),
  );
  return Object.fromEntries(entries);
}
