import * as z from 'zod';
import { amount } from './configuration-fields.ts';
import { foreignIdField, ownIdField } from './identifier-fields.ts';
import { secret } from './secrets.ts';
import { walletAddressStatuses } from './wallet-address.ts';

/** How to reach a brand's wallet (docs/rules/http.md "Secrets"). Secrets go in and never come out, so every change states them. */
const addressField = z.string().min(1).max(2048);

/** Visible ASCII: it travels in an Authorization header. */
const bearerField = secret(z.string().regex(/^[\x21-\x7e]{1,1024}$/));

export const newWalletSettings = z.strictObject({
  operator_id: ownIdField.nullish(),
  brand_id: z.string().nullish(),
  base_url: addressField,
  bearer_key: bearerField,
  hmac_secret: secret(z.string().min(1).max(1024)),
  provider_id: foreignIdField,
  close_rounds: z.boolean().nullish(),
  /** In the brand's currency, which is the base currency of its rates. */
  verification_limit: amount.nullish(),
});

/** The settings as they are shown, without secrets. */
export const walletSettings = z.strictObject({
  base_url: z.string(),
  provider_id: z.string(),
  close_rounds: z.boolean(),
  verification_limit: z.string().nullable(),
  /** What a call would find at the address now; unknown: the wallet role does not answer. */
  address_status: z.enum(walletAddressStatuses),
});
