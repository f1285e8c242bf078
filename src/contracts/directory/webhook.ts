import * as z from 'zod';
import { brandField, ownIdField } from '../fields/identifier-fields.ts';
import { secret } from '../fields/secrets.ts';

/** The body of O1. */
export const webhookSignature = z.strictObject({
  operator_id: ownIdField,
  brand_id: brandField.nullish(),
  secret_key: secret(z.string().min(1).max(4096)),
});

/** O1 answers in the shape of an error. */
export const webhookSignatureStored = z.strictObject({
  status_code: z.literal(200),
  code: z.literal('ok'),
  message: z.string(),
});

/** An origin that callbacks of an operator may go to (docs/rules/callbacks.md "Addresses"). */
export const webhookOrigin = z.strictObject({
  operator_id: ownIdField,
  origin: z.string().min(1).max(2048),
});
