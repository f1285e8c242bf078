import type { JsonSchema } from '../json-schema.ts';
import { type Html, html } from './html.ts';
import { schemaView } from './schema-view.ts';

interface AsyncApiShape {
  readonly info: { readonly description: string };
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly title: string; readonly description: string }>
  >;
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly action: 'send' | 'receive';
        readonly channel: { readonly $ref: string };
        readonly messages: readonly { readonly $ref: string }[];
      }
    >
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly summary: string; readonly payload: JsonSchema }>>;
  };
}

export interface FeedSection {
  readonly id: string;
  readonly title: string;
  readonly section: Html;
}

/** The feeds, and what goes over them. */
export function feedSections(document: Readonly<Record<string, unknown>>): FeedSection[] {
  const { info, channels, operations, components } = document as unknown as AsyncApiShape;
  const rules = html`${info.description
    .replaceAll('`', '')
    .split('\n\n')
    .map((text) => html`<p>${text}</p>`)}`;
  const feeds = Object.entries(channels).map(([id, channel]) => {
    const of = (action: 'send' | 'receive') =>
      Object.values(operations)
        .filter((one) => one.action === action && one.channel.$ref.endsWith(`/${id}`))
        .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''));
    const section = html`<article id="${id}"><h3><a href="#${id}">${channel.title}</a></h3>
<p class="route"><span class="method ws">WS</span> <code>${channel.address}</code></p>
<p class="note">${channel.description}</p>
<p class="note">A client may say: ${links(of('receive'))}</p>
<p class="note">The service sends: ${links(of('send'))}</p></article>`;
    return { id, title: channel.title, section };
  });
  const messages = html`<article id="messages"><h3><a href="#messages">Messages</a></h3>${Object.entries(
    components.messages,
  ).map(
    ([name, { summary, payload }]) =>
      html`<h4 id="message-${name}">${name}</h4><p class="note">${summary}</p>${schemaView(payload)}`,
  )}</article>`;
  const first: FeedSection = {
    id: 'feed-rules',
    title: 'Rules of all feeds',
    section: html`<article id="feed-rules">${rules}</article>`,
  };
  return [first, ...feeds, { id: 'messages', title: 'Messages', section: messages }];
}

function links(names: readonly string[]): Html {
  return html`${names.map((name) => html`<a href="#message-${name}">${name}</a> `)}`;
}
