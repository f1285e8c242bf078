import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  publicEventShape,
  publicJackpots,
  publicJackpotsShape,
  publicTickerView,
} from '../../../../contracts/feeds/public-feed.ts';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { brandOf, brandPath, isOwnId, operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { activeFirst, hasPublicFeed, isPublic } from '../../../../directory/public-view.ts';
import type { ReadModel } from '../../../../directory/read-model.ts';
import { currencyFault, playerMoney } from '../../../../directory/shown-money.ts';
import { writeJson } from '../../../../lib/json.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineOperation } from '../../operation/operation.ts';
import { isNamed } from '../reference/served-document.ts';

const params = z.strictObject({ operator_id: ownIdField, brand_id: brandField });
const currency = z.string().min(1).max(16).optional();
const maxInstances = 16;
/** As long as a ticker is: caches ask once a second for all of their clients. */
const cacheControl = 'public, max-age=1';

/** The public feed of a brand as Server-Sent Events. docs/rules/feeds.md "Public feed" */
export const publicEventsOperation = defineOperation({
  id: 'public.events',
  name: 'Public feed of a brand',
  route: 'GET /v1/public/{operator_id}/{brand_id}/events',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {
    params,
    query: z.strictObject({
      currency,
      instance_ids: z
        .string()
        .max(maxInstances * 65)
        .optional(),
    }),
  },
  output: publicEventShape,
  refusals: [404, 422],
  headers: ['Last-Event-ID'],
  limits: { events: true },
  async handle({ params: named, query }, { directory }) {
    const brand = publicBrandOf(directory, named, query.currency);
    const path = `/v1/public/${operatorOf(brand)}/${brandOf(brand)}/events`;
    const search = query.currency === undefined ? '' : `?currency=${encodeURIComponent(query.currency)}`;
    return { status: 200, stream: { path: path + search, instances: instancesOf(query.instance_ids) } };
  },
});

/** A snapshot of what the public feed of a brand shows, for caches. docs/rules/feeds.md "Public feed" */
export const publicJackpotsOperation = defineOperation({
  id: 'public.jackpots',
  name: 'Public jackpots of a brand',
  route: 'GET /v1/public/{operator_id}/{brand_id}/jackpots',
  surface: 'public',
  authentication: { kind: 'none' },
  input: { params, query: z.strictObject({ currency }) },
  output: publicJackpotsShape,
  refusals: [404, 422],
  headers: ['If-None-Match'],
  answerHeaders: ['ETag'],
  async handle({ params: named, query, headers }, { directory }) {
    const brand = publicBrandOf(directory, named, query.currency);
    const text = writeJson({ jackpots: jackpotsOf(directory, brand, query.currency ?? null) });
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const own = ['Cache-Control', cacheControl, 'ETag', tag];
    if (isNamed(tag, headers['if-none-match'])) return { status: 304, headers: own };
    return { status: 200, headers: own, text };
  },
});

/** Its path. @throws PublicError brand_not_found, also of a brand that shows nothing; currency_unknown … */
function publicBrandOf(
  directory: ReadModel,
  { operator_id, brand_id }: z.output<typeof params>,
  shownIn: string | undefined,
): string {
  const brand = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
  if (operatorOf(brand) !== operator_id || !hasPublicFeed(directory, brand))
    throw new PublicError('brand_not_found');
  const fault = shownIn === undefined ? null : currencyFault(directory, brand, shownIn);
  if (fault !== null) throw new PublicError(fault);
  return brand;
}

/** @throws PublicError invalid_parameter */
function instancesOf(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const ids = text.split(',');
  if (ids.length > maxInstances || !ids.every(isOwnId)) throw new PublicError('invalid_parameter');
  return ids;
}

function jackpotsOf(directory: ReadModel, brand: string, shownIn: string | null) {
  const money = playerMoney(directory, brand, shownIn);
  const shown = activeFirst(visible(directory, brand), publicJackpots);
  return shown.map(({ description, liveValues, configuration: { pots, currency: of } }) =>
    publicTickerView(
      description,
      liveValues,
      { pots, sources: directory.sourcesOf(description.instance), currency: money.show(0n, of).currency },
      (atoms) => money.show(atoms, of).atoms,
    ),
  );
}

/** Values of a lane that does not serve are old: it is left out, as in the feed. */
function* visible(directory: ReadModel, brand: string) {
  for (const known of directory.lanes.instances.values())
    if (isPublic(directory, brand, known) && directory.conditions.fault(known.lane) === null) yield known;
}
