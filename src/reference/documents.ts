import { asyncApi } from './asyncapi.ts';
import { openApi } from './openapi.ts';
import type { OperationDescription } from './operation-description.ts';

/** The API's version, not the package's: it changes with the shapes of inputs and answers. */
const apiVersion = '1.0.0';

export interface Documents {
  readonly openApi: Record<string, unknown>;
  readonly asyncApi: Record<string, unknown>;
}

/** What the demo's page calls is no part of the API. */
export function documentsOf(operations: readonly OperationDescription[]): Documents {
  const described = operations.filter(({ id }) => !id.startsWith('demo.'));
  return { openApi: openApi(described, apiVersion), asyncApi: asyncApi(apiVersion) };
}
