import { afterEach, describe, expect, it } from 'vitest';
import { assemble } from '../../sdk/src/potstream.ts';
import { type ErrorCode, errorStatus } from '../../src/contracts/errors/codes.ts';
import { PublicError } from '../../src/gateway/base/errors.ts';
import { page } from './support/page.ts';
import { refusal, type ScriptedServer, startScriptedServer } from './support/scripted-server.ts';
import { stillPace } from './support/still-pace.ts';

/** The tables of docs/integrate.md "Errors". */
interface Row {
  readonly status: number;
  readonly code: ErrorCode;
  readonly advice: string;
  readonly again: string;
}

const section = page.split('\n## Errors\n')[1]?.split('\n## ')[0] ?? '';
const rows: Row[] = [...section.matchAll(/^\| ([0-9]{3}) \| `([a-z_]+)` \| (.+) \| (yes|no) \|$/gm)].map(
  ([, status, code, advice = '', again = '']) => ({
    status: Number(status),
    code: code as ErrorCode,
    advice,
    again,
  }),
);
const ofAdministrators = [...section.matchAll(/^\| ([0-9]{3}) \| ((?:`[a-z_]+`(?:, )?)+) \|$/gm)].flatMap(
  ([, status, codes = '']) =>
    [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, Number(status)] as const),
);

describe('the errors of docs/integrate.md', () => {
  it('are all codes of the closed list, each once, with their status', () => {
    const named = [...rows.map(({ code, status }) => [code, status] as const), ...ofAdministrators];
    const codes = named.map(([code]) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(Object.fromEntries(named)).toEqual(errorStatus);
  });

  it('each say what to do', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ advice }) => advice.length < 15)).toEqual([]);
  });
});

describe('the SDK', () => {
  let server: ScriptedServer;
  afterEach(() => server.stop());

  it.each(rows)('repeats a contribution after $code: $again', async ({ status, code, again }) => {
    const { retryAfterSeconds } = new PublicError(code);
    const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
    server = await startScriptedServer(refusal(status, code, headers));
    const credentials = { key_id: 'key', secret: 'secret' };
    const potstream = assemble({ baseUrl: server.baseUrl, credentials }, stillPace());
    const body = {
      token: 't',
      brand_id: 'b',
      player_id: 'p',
      player_country: 'DE',
      base_wager: '1',
      currency: 'EUR',
    };
    await expect(potstream.contributeToInstance('gold', body)).rejects.toMatchObject({
      code,
      status_code: status,
    });
    expect(server.requests.length > 1 ? 'yes' : 'no').toBe(again);
  });
});
