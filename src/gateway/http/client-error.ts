import type { Duplex } from 'node:stream';
import { PublicError } from '../errors.ts';
import { sendRawError } from './raw-answer.ts';

/** Answers what Node's parser refuses before there is a request. */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    socket.destroy();
    return;
  }
  sendRawError(socket, publicErrorOf(error.code));
}

function publicErrorOf(code: string | undefined): PublicError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new PublicError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PublicError('request_timeout');
    default:
      return new PublicError('malformed_http');
  }
}
