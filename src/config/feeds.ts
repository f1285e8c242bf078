import { z } from 'zod';

/** The part of `config.ts` that concerns the feeds. */

const websocketEngine = z.enum(['auto', 'uwebsockets', 'ws']);

export const feedEnvironment = {
  POTSTREAM_WEBSOCKET_ENGINE: websocketEngine
    .default('auto')
    .describe(
      'websocket engine of the fan-out: uwebsockets (uWebSockets.js), ws, or auto: ws only where uWebSockets.js cannot be loaded or its file is not known',
    ),
  POTSTREAM_FANOUT_SOCKETS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(18_000)
    .describe('max. websockets of one fan-out process'),
  POTSTREAM_STATUS_PERIOD_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(2_000)
    .describe('interval at which the jackpot status feed sends the status'),
};

type FeedValues = z.output<z.ZodObject<typeof feedEnvironment>>;

/** The parsed variables of `feedEnvironment`, where each is described. */
export type FeedSettings = {
  readonly websocketEngine: z.output<typeof websocketEngine>;
  readonly fanoutSockets: number;
  readonly statusPeriodMs: number;
};

export function readFeedSettings(values: FeedValues): FeedSettings {
  return {
    websocketEngine: values.POTSTREAM_WEBSOCKET_ENGINE,
    fanoutSockets: values.POTSTREAM_FANOUT_SOCKETS,
    statusPeriodMs: values.POTSTREAM_STATUS_PERIOD_MS,
  };
}

export function environmentOfFeeds(settings: FeedSettings): Record<string, string> {
  return {
    POTSTREAM_WEBSOCKET_ENGINE: settings.websocketEngine,
    POTSTREAM_FANOUT_SOCKETS: String(settings.fanoutSockets),
    POTSTREAM_STATUS_PERIOD_MS: String(settings.statusPeriodMs),
  };
}
