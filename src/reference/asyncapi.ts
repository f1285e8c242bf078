import * as z from 'zod';
import {
  authenticateRequest,
  refreshTokenRequest,
  subscribeRequest,
  unsubscribeRequest,
} from '../contracts/feeds/feed.ts';
import {
  eventShape,
  foreignEventShape,
  jackpotEvents,
  jackpotStatusShape,
} from '../contracts/feeds/feed-events.ts';
import { publicEvents } from '../contracts/feeds/public-feed.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: string;
  readonly payload: JsonSchema;
}

/** The AsyncAPI 3 document of the feeds O4, O21, O22 and the public one, made of the shapes that validate. */
export function asyncApi(version: string): Record<string, unknown> {
  const client = Object.fromEntries(clientMessages.map((one) => [one.name, one]));
  const events = Object.fromEntries(
    [...eventMessages(), ...publicMessages(), status].map((one) => [one.name, one]),
  );
  const eventNames = [...Object.keys(jackpotEvents), 'ForeignEvent'];
  const subscribing = ['SubscribeRequest', 'UnsubscribeRequest', 'RefreshTokenRequest'];
  const playerNames = eventNames.filter((name) => !serviceOnly.has(name));
  const feeds: readonly Feed[] = [
    { name: 'playerEvents', id: 'O21', receives: subscribing, sends: playerNames, channel: playerChannel },
    { name: 'serviceEvents', id: 'O22', receives: subscribing, sends: eventNames, channel: serviceChannel },
    {
      name: 'jackpotStatus',
      id: 'O4',
      receives: ['AuthenticateRequest', 'RefreshTokenRequest'],
      sends: ['JackpotStatus'],
      channel: statusChannel,
    },
    {
      name: 'publicEvents',
      id: 'public feed',
      receives: ['SubscribeRequest', 'UnsubscribeRequest'],
      sends: publicMessages().map((one) => one.name),
      channel: publicChannel,
    },
  ];
  return {
    asyncapi: '3.0.0',
    info: { title: 'Potstream feeds', version, description },
    defaultContentType: 'application/json',
    servers: { feeds: { host: 'localhost', protocol: 'ws', description: 'The address of the HTTP API.' } },
    channels: Object.fromEntries(feeds.map((feed) => [feed.name, channelOf(feed)])),
    operations: Object.fromEntries(feeds.flatMap(operationsOf)),
    components: { messages: { ...client, ...events } },
  };
}

interface Feed {
  readonly name: string;
  readonly id: string;
  readonly receives: readonly string[];
  readonly sends: readonly string[];
  readonly channel: Readonly<Record<string, unknown>>;
}

const serviceOnly: ReadonlySet<string> = new Set(['PayoutEvent', 'CommunityPayoutErrorEvent']);

const playerChannel = {
  address: '/events/{operator_id}/{brand_id}',
  title: 'Player event feed',
  description:
    'Also /event/…. The token or ticket is looked at before the upgrade; a page of another origin is refused. Values come in the currency ' +
    'of the query or ticket, rounded down to its minor unit.',
  parameters: { operator_id: {}, brand_id: { description: 'The bare brand or the brand path.' } },
  bindings: query(
    {
      token: "A player's token.",
      currency: "Of the player's session, in which values are shown; with the token.",
      ticket: 'From POST /v1/feed-tickets, instead of both.',
    },
    [],
  ),
};

const serviceChannel = {
  address: '/events/service',
  title: 'Service event feed',
  description: 'Full precision, players of the own brands by name.',
  bindings: query({ token: 'A JWT from POST /v1/auth/service.' }),
};

const statusChannel = {
  address: '/v1/jackpot/status',
  title: 'Jackpot status feed',
  description:
    'The first message within 5 s says who the client is. Then all active jackpots in scope come every 2 s, in parts of at most 100.',
};

const publicChannel = {
  address: '/v1/public/{operator_id}/{brand_id}/events',
  title: 'Public feed of a brand',
  description:
    'Where the brand shows its jackpots to everybody; without a credential, for pages of every origin. A plain GET of the same address gets ' +
    'the same events as Server-Sent Events.',
  parameters: { operator_id: {}, brand_id: {} },
  bindings: query({ currency: 'In which values are shown; absent: each jackpot in its own.' }, []),
};

function query(inputs: Readonly<Record<string, string>>, required = Object.keys(inputs)) {
  const properties = Object.fromEntries(
    Object.entries(inputs).map(([name, meaning]) => [name, { type: 'string', description: meaning }]),
  );
  return { ws: { query: { type: 'object', properties, required } } };
}

function channelOf({ channel, receives, sends }: Feed) {
  const names = [...receives, ...sends];
  const messages = names.map((name) => [name, { $ref: `#/components/messages/${name}` }]);
  return { ...channel, messages: Object.fromEntries(messages) };
}

/** From the service's side: it receives what clients say, and sends. */
function operationsOf({ name, id, receives, sends }: Feed): [string, unknown][] {
  const of = (action: 'send' | 'receive', names: readonly string[], summary: string) => ({
    action,
    summary: `${id}: ${summary}`,
    channel: { $ref: `#/channels/${name}` },
    messages: names.map((message) => ({ $ref: `#/channels/${name}/messages/${message}` })),
  });
  return [
    [`${name}Sent`, of('send', sends, 'what the service sends')],
    [`${name}Received`, of('receive', receives, 'what a client may say')],
  ];
}

const clientMessages: readonly Message[] = [
  message(
    'SubscribeRequest',
    'Says which events to send; a second one replaces the first.',
    subscribeRequest,
  ),
  message('UnsubscribeRequest', 'Ends the subscription.', unsubscribeRequest),
  message('RefreshTokenRequest', 'Shows a newer token of the same owner.', refreshTokenRequest),
  message(
    'AuthenticateRequest',
    'Says who the client is: a service, or with its brand a player.',
    authenticateRequest,
  ),
];

const status: Message = message('JackpotStatus', 'A part of the status.', jackpotStatusShape, 'output');

function eventMessages(): Message[] {
  const own = Object.entries(jackpotEvents).map(([type, { description: summary, data }]) =>
    message(type, summary, eventShape(z.literal('jackpot'), z.literal(type), data), 'output'),
  );
  const foreign = "Another platform's event, for a player or a brand.";
  return [...own, message('ForeignEvent', foreign, foreignEventShape, 'output')];
}

/** The same event types with less in them. */
function publicMessages(): Message[] {
  return Object.entries(publicEvents).map(([type, { description: summary, data }]) =>
    message(`Public${type}`, summary, eventShape(z.literal('jackpot'), z.literal(type), data), 'output'),
  );
}

function message(name: string, summary: string, shape: z.ZodType, io: 'input' | 'output' = 'input'): Message {
  const contentType = 'application/json';
  return { name, title: name, summary, contentType, payload: jsonSchemaOf(shape, io) };
}

const description = `Websockets: one JSON text frame a message.

\`seq\` is the instance's log sequence for JackpotUpdate (it rises, with gaps), the instance's gapless event counter for WinEvent, \
RaffleWinEvent and InstanceStatusEvent, and a counter of the socket for all others. An entry of a subscription may narrow it with \
\`instance_ids\`, and ask with \`since\` ({instance_id: seq}) for the counted events of the last two minutes that were missed. Right \
after subscribing comes a JackpotUpdate for each visible instance, at most 500; its \`event_seq\` is the event counter to begin \`since\` with.

Closes: 1000 lifetime over, 1001 shutdown, 1002 forbidden frame, 1009 too big, 1013 overloaded, 4400 bad message, 4401 unauthenticated, expired or revoked, \
4403 forbidden or public no more, 4408 timeout, 4429 flood. Limits: messages of 4 KiB, 10 a second (burst 20), 32 subscriptions, the first within 30 s, \
5 sockets a player.`;
