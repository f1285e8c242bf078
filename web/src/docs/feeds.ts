interface Channel {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly bindings?: {
    readonly ws: {
      readonly query: { readonly properties: Readonly<Record<string, { readonly description: string }>> };
    };
  };
}

interface AsyncApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly channels: Readonly<Record<string, Channel>>;
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
    readonly messages: Readonly<Record<string, { readonly summary: string; readonly payload: unknown }>>;
  };
}

/** The feeds in the form that the reference shows: each feed a tag with the address, each of its messages a webhook. */
export function feedsDocument({ info, channels, operations, components }: AsyncApi) {
  const tags = Object.values(channels).map(({ title, address, description, bindings }) => {
    const inputs = Object.entries(bindings?.ws.query.properties ?? {});
    const query = inputs
      .map(([name, input]) => `- \`${name}\` in the query: ${input.description}`)
      .join('\n');
    return { name: title, description: `\`WS ${address}\`\n\n${description}\n\n${query}` };
  });
  const webhooks = Object.values(operations).flatMap(({ action, channel, messages }) => {
    const { title } = channels[lastOf(channel.$ref)]!;
    return messages.map(({ $ref }) => {
      const { summary, payload } = components.messages[lastOf($ref)]!;
      const name = lastOf($ref);
      const operation = {
        operationId: `${title} ${action} ${name}`,
        summary: name,
        description: `${action === 'receive' ? 'A client may say it.' : 'The service sends it.'} ${summary}`,
        tags: [title],
        requestBody: { content: { 'application/json': { schema: payload } } },
      };
      return [`${title}: ${name}`, { post: operation }] as const;
    });
  });
  return { openapi: '3.1.0', info, tags, paths: {}, webhooks: Object.fromEntries(webhooks) };
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
