import { Ajv2020 } from 'ajv/dist/2020.js';
import { asyncApi } from '../../src/reference/asyncapi.ts';

interface Frame {
  readonly msg_type: string;
  readonly source?: string;
  readonly event_type?: string;
}

/** What is wrong with a frame, as the AsyncAPI document describes its kind; null: nothing. */
export function frameCheck(): (frame: Frame, isPublic?: boolean) => string | null {
  const { components } = asyncApi('test') as {
    readonly components: { readonly messages: Readonly<Record<string, { readonly payload: object }>> };
  };
  // gateway/reference/documents.test.ts checks the document itself.
  const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false });
  const checks = new Map(
    Object.entries(components.messages).map(([name, { payload }]) => [name, ajv.compile(payload)]),
  );
  return (frame, isPublic = false) => {
    const type = isPublic ? `Public${frame.event_type}` : frame.event_type;
    const own = frame.source === 'jackpot' ? type : 'ForeignEvent';
    const name = frame.msg_type === 'Event' ? (own ?? '') : frame.msg_type;
    const check = checks.get(name);
    if (check === undefined) return `no message ${name}`;
    return check(frame) ? null : `${name}: ${ajv.errorsText(check.errors)}: ${JSON.stringify(frame)}`;
  };
}
