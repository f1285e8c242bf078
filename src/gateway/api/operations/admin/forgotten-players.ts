import * as z from 'zod';
import {
  decodeForgotten,
  encodeForgotten,
  forgottenKey,
  forgottenPseudonym,
  forgottenSaltKey,
} from '../../../../contracts/directory/forgotten-players.ts';
import { brandField, foreignIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { secret } from '../../../../contracts/fields/secrets.ts';
import { reasonField } from '../../../../contracts/jackpots/instance.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { proposedChange } from '../../approvals/propose.ts';
import { defineChange, type GatewayContext } from '../../operation/operation.ts';
import { requireReason } from './shared/expected-version.ts';
import { requireOwner } from './shared/owner-access.ts';

const saltBytes = 32;

/**
 * Has the books put a pseudonym in place of a player's id, in all that they have and will have. The id stands
 * in no list, record or trail for it; who approves sends the same bytes. A repeat changes nothing.
 */
export const forgetPlayerOperation = defineChange('secure', {
  id: 'players.forget',
  name: 'Forget a player in the books',
  route: 'POST /config/forgotten-players',
  input: {
    body: z.strictObject({ brand_id: brandField, player_id: secret(foreignIdField), reason: reasonField }),
  },
  output: z.strictObject({ brand_id: z.string(), pseudonym: z.string(), timestamp: z.int() }),
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { brand_id: brand, player_id: player, reason } = body;
    if (!brand.includes(':')) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'secure', brand);
    requireReason(reason);
    const proposed = await proposedChange(context, request, brand);
    if (proposed !== null) return proposed;
    const pseudonym = forgottenPseudonym(await salt(context), brand, player);
    const since = await stored(() => forget(context, pseudonym, brand));
    return { status: 200, body: { brand_id: brand, pseudonym, timestamp: since } };
  },
});

/** When it was ordered: now, or before. */
async function forget({ tables, clock }: GatewayContext, pseudonym: string, brand: string): Promise<number> {
  const key = forgottenKey(pseudonym);
  const since = clock.nowMs();
  const revision = await tables.forgotten.put(key, encodeForgotten({ brand, since }), 0);
  if (revision !== null) return since;
  const present = await tables.forgotten.get(key);
  return (present === null ? null : decodeForgotten(present.value))?.since ?? since;
}

/** Made once: of two gateways at the same moment the first. */
async function salt({ tables: { forgotten }, random }: GatewayContext): Promise<Uint8Array> {
  const present = await stored(() => forgotten.get(forgottenSaltKey));
  if (present !== null) return present.value;
  const made = random.bytes(saltBytes);
  if ((await stored(() => forgotten.put(forgottenSaltKey, made, 0))) !== null) return made;
  const first = await stored(() => forgotten.get(forgottenSaltKey));
  if (first === null) throw new PublicError('storage_unavailable');
  return first.value;
}
