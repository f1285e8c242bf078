import type { JsonSchema } from '../json-schema.ts';
import { type Html, html } from './html.ts';
import { schemaView, typeOf } from './schema-view.ts';

/** What the page reads of an operation of the OpenAPI document. */
export interface PathItem {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export function operationSection(at: {
  readonly path: string;
  readonly method: string;
  readonly item: PathItem;
}): Html {
  const { path, method, item } = at;
  const answers = Object.entries(item.responses);
  const refusals = answers.filter(([, { $ref }]) => $ref !== undefined).map(([status]) => status);
  return html`<article id="${item.operationId}">
<h3><a href="#${item.operationId}">${item.summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<p class="note">${item.description ?? ''} ${securityText(item.security)}</p>
${inputs(item.parameters ?? [])}
${item.requestBody === undefined ? '' : block('Body', item.requestBody.content)}
${answers.filter(([, { $ref }]) => $ref === undefined).map(([status, answer]) => answerView(status, answer))}
${refusals.length === 0 ? '' : html`<p class="note">Errors: <a href="#errors">${refusals.join(', ')}</a></p>`}
</article>
`;
}

const credentials: Readonly<Record<string, string>> = {
  service: "a service's token",
  administrator: "an administrator's token",
  player_token: "a player's token",
  signed_request: 'a signature',
};

function securityText(security: PathItem['security']): string {
  const names = security.flatMap((one) => Object.keys(one)).map((name) => credentials[name] ?? name);
  if (names.length === 0) return 'Needs no credential.';
  const needed = security.every((one) => Object.keys(one).length > 0);
  return `${needed ? 'Needs' : 'May carry'} ${names.join(' or ')}.`;
}

function inputs(parameters: NonNullable<PathItem['parameters']>): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((parameter) => {
    if ('$ref' in parameter) {
      const name = parameter.$ref.split('/').at(-1) ?? '';
      return html`<tr><th scope="row"><code>${name}</code></th><td>header</td><td>string</td></tr>`;
    }
    const { name, required, schema } = parameter;
    const place = required === true ? parameter.in : `${parameter.in}, optional`;
    return html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${typeOf(schema)}</td></tr>`;
  });
  return html`<h4>Inputs</h4><div class="wide"><table><thead><tr><th scope="col">Name</th><th scope="col">Place</th><th scope="col">Type</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function answerView(status: string, answer: Response): Html {
  const headers = Object.keys(answer.headers ?? {}).filter((name) => name !== 'X-Request-Id');
  return html`<h4>Answer ${status}</h4><p class="note">${answer.description ?? ''}${headers.length === 0 ? '' : html` Headers: ${headers.join(', ')}.`}</p>${answer.content === undefined ? '' : content(answer.content)}`;
}

function block(title: string, of: Content): Html {
  return html`<h4>${title}</h4>${content(of)}`;
}

function content(of: Content): Html {
  return html`${Object.entries(of).map(
    ([type, { schema }]) => html`<p class="note">${type}: ${typeOf(schema)}</p>${schemaView(schema)}`,
  )}`;
}
