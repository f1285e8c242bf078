import { PublicError } from '../errors.ts';

/** What a caller is told of bytes that Node's parser refuses; null: nothing. */
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
