import * as z from 'zod';
import { brandField, ownIdField } from './identifier-fields.ts';

/** Document 1, O1. */
export const webhookSignature = z.strictObject({
  operator_id: ownIdField,
  brand_id: brandField.nullish(),
  secret_key: z.string().min(1).max(4096),
});

/** The error's shape, as the document wants it of O1. */
export const webhookSignatureStored = z.strictObject({
  status_code: z.literal(200),
  code: z.literal('ok'),
  message: z.string(),
});

/** http.md, "webhook origins". */
export const webhookOrigin = z.strictObject({
  operator_id: ownIdField,
  origin: z.string().min(1).max(2048),
});
