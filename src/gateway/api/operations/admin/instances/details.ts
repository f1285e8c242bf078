import * as z from 'zod';
import { ownerField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import {
  beaconInput,
  detailsChange,
  epochField,
  instanceShape,
  instanceStatuses,
} from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineChange, defineRead } from '../../../operation/operation.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/** A32: a full instance, as its lane has it now. `instance_not_found` if owner_id or status differ. */
export const readInstanceOperation = defineRead('read', {
  id: 'A32',
  name: 'Get an instance',
  route: 'GET /config/instances/{instance_id}',
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: z.strictObject({ owner_id: ownerField.optional(), status: z.enum(instanceStatuses).optional() }),
  },
  output: instanceShape,
  refusals: [404],
  async handle({ principal, params, query }, context) {
    const known = requireInstance(context, principal, 'read', params.instance_id);
    const instance = await describeInstance(context, known.lane, params.instance_id);
    if (query.owner_id !== undefined && query.owner_id !== instance.owner)
      throw new PublicError('instance_not_found');
    if (query.status !== undefined && query.status !== instance.status)
      throw new PublicError('instance_not_found');
    return { status: 200, body: instanceView(instance) };
  },
});

/** A31: an instance's name and description. Takes If-Match; without either field nothing changes. */
export const changeInstanceOperation = defineChange('configure', {
  id: 'A31',
  name: 'Update instance details',
  route: 'PATCH /config/instances/{instance_id}',
  input: { params: z.strictObject({ instance_id: ownIdField }), body: detailsChange },
  refusals: [404, 409],
  headers: ['If-Match'],
  async handle({ principal, params, body, headers }, context) {
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const version = expectedVersion(headers);
    const known = requireInstance(context, principal, 'configure', instance);
    const name = body.name ?? null;
    const description = body.description ?? null;
    if (name === null && description === null) {
      // Nothing is stored, so the version stays.
      requireVersion(version, known.liveValues.version);
      return { status: 204 };
    }
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetDetails',
      instance,
      name,
      description,
      user: principal.subject,
      expectedVersion: version,
    });
    requireSuccess(answer);
    return { status: 204 };
  },
});

/**
 * Hands in the beacon (32 bytes in hex) of a committed epoch that has not begun (docs/decisions/0080). The
 * same bytes again are no fault.
 */
export const setBeaconOperation = defineChange('secure', {
  id: 'instances.beacon',
  name: 'Hand in the beacon of a draw epoch',
  route: 'PUT /config/instances/{instance_id}/epochs/{epoch}/beacon',
  input: { params: z.strictObject({ instance_id: ownIdField, epoch: epochField }), body: beaconInput },
  refusals: [404, 409],
  async handle({ principal, params, body }, context) {
    const { epoch, instance_id: instance } = params;
    requireSameId(body.instance_id, instance);
    if (body.epoch !== null && body.epoch !== undefined && body.epoch !== epoch)
      throw new PublicError('invalid_request');
    const { lane } = requireInstance(context, principal, 'secure', instance);
    requireReason(body.reason);
    const beacon = new Uint8Array(Buffer.from(body.beacon, 'hex'));
    const answer = await context.lanes.send(lane, { kind: 'OpenEpoch', instance, epoch, seeds: [], beacon });
    requireSuccess(answer);
    return { status: 204 };
  },
});
