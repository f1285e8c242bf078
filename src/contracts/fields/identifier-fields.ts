import * as z from 'zod';

/** Identifiers in inputs (identifiers.ts has their rules). Faults carry the code invalid_identifier. */

/** Operators, templates, instances, pots. */
export const ownIdField = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'invalid_identifier');

/** Players, game rounds, sources, providers, segments: 1 to 128 printable characters. */
export const foreignIdField = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u, 'invalid_identifier');

/** The source of an instance's transactions; an empty one is none. */
export const gameCodeField = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{0,128}$/u, 'invalid_identifier');

/** A brand path, or the bare brand where the operator is known. */
export const brandField = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}(?::[A-Za-z0-9_-]{1,64})?$/, 'invalid_identifier');

/** An operator's id or a brand path. */
export const ownerField = brandField;

/** An id in an item of a batch: a malformed one fails its item and no other (docs/rules/http.md "Lists"). */
export const itemIdField = z.string();

/** 1 to 255 printable characters. */
export const idempotencyKeyField = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u);
