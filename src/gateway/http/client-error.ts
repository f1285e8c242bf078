import { PublicError } from '../base/errors.ts';

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
