/** The parts of an OpenAPI document that requests are made from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

export interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
}

/** One operation, ready to make requests of. */
export interface Target {
  readonly id: string;
  readonly method: string;
  /** With its inputs in braces. */
  readonly path: string;
  readonly credential: 'administrator' | 'service' | 'none';
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
}

export function targetsOf(document: Document): Target[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      credential: credentialOf(operation),
      parameters: (operation.parameters ?? []).map((parameter) => resolved(document, parameter)),
      body: operation.requestBody?.content['application/json']?.schema ?? null,
    })),
  );
}

function credentialOf({ security = [] }: OperationObject): Target['credential'] {
  if (security.some((each) => 'administrator' in each)) return 'administrator';
  return security.some((each) => 'service' in each) ? 'service' : 'none';
}

function resolved(document: Document, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${parameter.$ref} is not in the document`);
  return found;
}
