// Finds the decimals in the answers of an operation: members whose schema has the type `number`.

/** Sorted paths such as `pots.*.value`; `*` is each item or member. */
export function decimalsOf(operation) {
  const found = new Set();
  for (const [status, { content }] of Object.entries(operation.responses)) {
    const schema = content?.['application/json']?.schema;
    if (status.startsWith('2') && schema !== undefined) collect(schema, [], found);
  }
  return [...found].sort();
}

/** Keywords that hold no schema of a member. A new keyword has to be looked at before it is listed here. */
const plain = new Set([
  'type',
  'const',
  'enum',
  'description',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'required',
  'propertyNames',
  'default',
]);

/** The same of one schema. */
export function decimalsOfSchema(schema) {
  const found = new Set();
  collect(schema, [], found);
  return [...found].sort();
}

function collect(schema, path, found) {
  if (schema === false || schema === true) return;
  if (schema.type === 'number' && schema.const === undefined) found.add(path.join('.'));
  for (const [keyword, value] of Object.entries(schema)) {
    if (plain.has(keyword)) continue;
    for (const [step, member] of membersOf(keyword, value)) collect(member, [...path, ...step], found);
  }
}

function membersOf(keyword, value) {
  switch (keyword) {
    case 'properties':
      return Object.entries(value).map(([name, member]) => [[memberName(name)], member]);
    case 'items':
    case 'additionalProperties':
      return [[['*'], value]];
    case 'prefixItems':
      return value.map((member) => [['*'], member]);
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return value.map((member) => [[], member]);
    default:
      throw new Error(`The SDK cannot read the keyword ${keyword} of a JSON schema yet.`);
  }
}

function memberName(name) {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) throw new Error(`The SDK cannot name the member ${name}.`);
  return name;
}
