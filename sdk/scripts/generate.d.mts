/**
 * The text of each file below `src/generated`, by its name; `document` is that of GET /v1/openapi.json, `feeds` that of
 * GET /v1/asyncapi.json.
 */
export function generate(document: object, feeds: object): Promise<Readonly<Record<string, string>>>;

/** Types of what the console calls; `document` is that of GET /v1/openapi.json. */
export function generateConsole(document: object): Promise<string>;

/** Types of the feeds' messages for `@potstream/client`; `document` is that of GET /v1/asyncapi.json. */
export function generateFeeds(document: object): Promise<string>;
