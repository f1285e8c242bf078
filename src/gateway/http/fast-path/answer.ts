import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../base/reply.ts';
import { nextRequestId } from '../../base/request-id.ts';
import { countAnswer, type ErrorAnswer, guardHeaders, replyText } from '../answer.ts';

const guardLines = linesOf(guardHeaders);
/** The fewest that are safe for JSON. */
const minGuard = linesOf(guardHeaders.slice(0, 2));

let secondOfDate = 0;
let dateLine = '';

/** Writes an answer; its headers are ours and hold no line ends. `more`: lines of headers. */
export function writeReply(socket: Socket, reply: Reply, guarded: boolean, more: string): void {
  let head = startOf(reply.status) + more;
  const { headers } = reply;
  if (headers !== undefined) head += linesOf(headers);
  head += `${guarded ? guardLines : minGuard}X-Request-Id: ${nextRequestId()}\r\n`;
  const text = replyText(reply);
  if (reply.status === 204) socket.write(`${head}\r\n`, 'latin1');
  else if (text === null) socket.write(`${head}Content-Length: 0\r\n\r\n`, 'latin1');
  else writeWhole(socket, head, text);
}

export function writeError(socket: Socket, error: ErrorAnswer, more: string): void {
  writeWhole(socket, startOf(error.status) + more + linesOf(error.headers), error.text);
}

function writeWhole(socket: Socket, head: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  socket.write(
    `${head}Content-Type: application/json; charset=utf-8\r\nContent-Length: ${bytes}\r\n\r\n${text}`,
    // As many bytes as characters: ASCII, which needs no encoding.
    bytes === text.length ? 'latin1' : 'utf8',
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
