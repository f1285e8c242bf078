import { STATUS_CODES } from 'node:http';
import type { Reply } from '../../operation.ts';
import { countAnswer, type ErrorAnswer, nextRequestId } from '../answer.ts';

let secondOfDate = 0;
let dateLine = '';

/** A contribution's answer as it goes to the wire; names and values come from us, and hold no line ends. */
export function writeReply(reply: Reply): string {
  const { text } = reply;
  let head = startOf(reply.status);
  const { headers } = reply;
  if (headers !== undefined) head += linesOf(headers);
  head += `X-Content-Type-Options: nosniff\r\nX-Request-Id: ${nextRequestId()}\r\n`;
  if (reply.status === 204) return `${head}\r\n`;
  if (text === undefined) return `${head}Content-Length: 0\r\n\r\n`;
  return `${head}Content-Type: application/json; charset=utf-8\r\nContent-Length: ${lengthOf(text)}\r\n\r\n${text}`;
}

export function writeError(error: ErrorAnswer): string {
  return (
    startOf(error.status) +
    linesOf(error.headers) +
    `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${lengthOf(error.text)}\r\n\r\n${error.text}`
  );
}

function startOf(status: number): string {
  countAnswer(status);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${currentDate()}`;
}

/** RFC 9110, 6.6.1: a server with a clock says when it answers. */
function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== secondOfDate) {
    secondOfDate = second;
    dateLine = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }
  return dateLine;
}

function linesOf(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) {
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return lines;
}

function lengthOf(text: string): number {
  return Buffer.byteLength(text);
}
