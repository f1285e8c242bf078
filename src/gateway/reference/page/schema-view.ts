import type { JsonSchema } from '../json-schema.ts';
import { type Html, html } from './html.ts';

/** How many levels are open at once, so that a long schema stays an overview. */
const openLevels = 1;

/** A JSON schema as nested lists of members. */
export function schemaView(schema: JsonSchema, level = 0): Html {
  const members = membersOf(schema);
  if (members.length === 0) return html``;
  const list = html`<ul class="members">${members.map((member) => memberView(member, level))}</ul>`;
  if (level < openLevels) return list;
  return html`<details><summary>members</summary>${list}</details>`;
}

/** One line: its type and what bounds it. */
export function typeOf(schema: JsonSchema): string {
  const { anyOf, oneOf, type, items, additionalProperties } = schema as Loose;
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'array') return `array of ${typeOf(items ?? {})}`;
  if (type === 'object' && typeof additionalProperties === 'object' && schema.properties === undefined)
    return `map to ${typeOf(additionalProperties)}`;
  return type === undefined ? 'any' : [type].flat().join(' or ');
}

interface Loose {
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Of the object that the schema is, or that its items, values or alternatives are. */
function membersOf(schema: JsonSchema): Member[] {
  const { properties, required = [], items, additionalProperties, anyOf, oneOf } = schema as Loose;
  if (properties !== undefined)
    return Object.entries(properties).map(([name, member]) => ({
      name,
      schema: member,
      required: required.includes(name),
    }));
  if (items !== undefined) return membersOf(items);
  if (typeof additionalProperties === 'object') return membersOf(additionalProperties);
  return (anyOf ?? oneOf ?? []).flatMap(membersOf);
}

function memberView({ name, schema, required }: Member, level: number): Html {
  const mark = required ? '' : html` <span class="optional">optional</span>`;
  const meaning = typeof schema.description === 'string' ? html` <span>${schema.description}</span>` : '';
  return html`<li><code>${name}</code> <span class="type">${typeOf(schema)}</span>${boundsOf(schema)}${mark}${meaning}${schemaView(schema, level + 1)}</li>`;
}

function boundsOf(schema: JsonSchema): Html {
  const bounds = [
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'pattern',
    'default',
  ]
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${String(schema[name])}`);
  return bounds.length === 0 ? html`` : html` <span class="bounds">${bounds.join(', ')}</span>`;
}
