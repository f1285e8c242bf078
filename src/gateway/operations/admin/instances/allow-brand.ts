import * as z from 'zod';
import { brandField, ownIdField } from '../../../../contracts/identifier-fields.ts';
import { isWithin, operatorOf } from '../../../../contracts/identifiers.ts';
import { brandChange } from '../../../../contracts/pot-changes.ts';
import type { InstanceConfigurationDocument } from '../../../../messages/instance-commands.ts';
import type { InstanceDescription } from '../../../../messages/records.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireAllowed, requireInstance, requireSameId } from '../shared/owner-access.ts';

const open: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

/** A23: a brand may contribute to the instance, or no longer may. Takes If-Match. */
export const allowBrand = brandOperation('PUT', true);
export const disallowBrand = brandOperation('DELETE', false);

function brandOperation(method: 'PUT' | 'DELETE', allowed: boolean) {
  return defineOperation({
    id: 'A23',
    name: allowed ? 'Allow a brand on an instance' : 'Disallow a brand on an instance',
    method,
    path: '/config/instances/{instance_id}/brands/{brand_id}',
    surface: 'admin',
    authentication: { kind: 'administrator', action: 'operate' },
    input: {
      params: z.strictObject({ instance_id: ownIdField, brand_id: brandField }),
      body: brandChange.nullish(),
    },
    output: 'empty',
    refusals: [404, 409],
    headers: ['If-Match'],
    async handle({ principal, params, body, headers }, context) {
      requireSameId(body?.instance_id, params.instance_id);
      const version = expectedVersion(headers);
      const known = requireInstance(context, principal, 'operate', params.instance_id);
      const { entries } = context.directory;
      const operator = operatorOf(known.description.owner);
      const brand = entries.brandPath(params.brand_id, operator);
      if (brand === null) throw new PublicError('brand_not_found');
      requireAllowed(principal, 'operate', brand, 'brand_not_found');
      const inBody = body?.brand_id ?? null;
      if (inBody !== null && entries.brandPath(inBody, operator) !== brand)
        throw new PublicError('invalid_request');
      if (allowed && isWithin(brand, known.description.owner)) {
        const current = await describeInstance(context, known.lane, params.instance_id);
        if (allowsEveryBrand(current)) {
          requireVersion(version, current.version);
          return { status: 204 };
        }
      }
      const answer = await context.lanes.send(known.lane, {
        kind: 'SetBrandAllowed',
        instance: params.instance_id,
        brand,
        allowed,
        user: principal.subject,
        ...(version === null ? {} : { expectedVersion: version }),
      });
      requireSuccess(answer);
      return { status: 204 };
    },
  });
}

/**
 * Without a list every brand of the owner is allowed, those to come included: allowing one must not write a list
 * (docs/decisions/0148).
 */
function allowsEveryBrand({ status, configuration, pendingConfiguration }: InstanceDescription): boolean {
  const stored = (pendingConfiguration ?? configuration) as InstanceConfigurationDocument;
  return open.has(status) && (stored.contribution_rules.allowed_brands ?? null) === null;
}
