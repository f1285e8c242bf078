import { type ErrorCode, PublicError } from '../base/errors.ts';

/** The answer to bytes that the parser of Node refuses; null: no answer. */
export function errorOfParser(code: string | undefined): PublicError | null {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new PublicError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PublicError('request_timeout');
    case 'HPE_CLOSED_CONNECTION':
      // The request before said that it was the last.
      return null;
    default:
      return new PublicError('malformed_http');
  }
}

/** Fastify's own refusals, by their codes (fastify lib/errors.js); any other error is passed on as it is. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'malformed_http',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_ASYNC_CONSTRAINT: 'internal_error',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_http',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
};

export function publicErrorOfFastify(error: unknown): unknown {
  if (error instanceof PublicError) return error;
  const code = (error as { readonly code?: unknown } | null)?.code;
  const known = typeof code === 'string' ? codes[code] : undefined;
  return known === undefined ? error : new PublicError(known);
}
