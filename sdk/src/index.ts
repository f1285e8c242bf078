export type { Api } from './api.ts';
export type {
  Contribution,
  ContributionOptions,
  ContributionResult,
  Contributions,
  ContributionV2,
  InstanceContribution,
  SourceContribution,
} from './contributions.ts';
export {
  type ApiErrorCode,
  ContributionError,
  type ContributionOutcome,
  type ErrorCode,
  LoginError,
  PotstreamError,
  StreamError,
} from './errors.ts';
export type { components, operations, paths } from './generated/openapi.ts';
export { JsonText } from './json-text.ts';
export { createPotstream, type Potstream, type PotstreamOptions } from './potstream.ts';
export type { RetryLimits } from './retry.ts';
export { type SigningKey, signatureHeaders } from './signing.ts';
export type { StreamInput } from './stream-contributions.ts';
export type {
  OpenContribution,
  StreamedContribution,
  StreamedRefusal,
  StreamItem,
  StreamLimits,
  StreamOptions,
  StreamResult,
} from './stream-types.ts';
export type { Password } from './tokens.ts';
export { verifyServerAuthorization, verifyWebhook, WebhookVerificationError } from './webhooks.ts';
