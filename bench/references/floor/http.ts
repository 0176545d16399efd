/**
 * HTTP part of the floor: bare node:http with two response headers. No framework, log, rate limit, validation of
 * the request head or security header.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkFields } from './form-fields.ts';

/** Reads of the floor. Each returns the response body, or undefined where nothing is found. */
export interface FloorReads {
  me(token: string): FloorResult;
  list(): FloorResult;
}

type FloorResult = string | undefined;

export const LIST_LENGTH = 20;
const LIST = `/api/v1/users?limit=${LIST_LENGTH}`;
const BEARER = 'Bearer ';
const adminHeader = Buffer.from(`${BEARER}${process.env.ADMIN_TOKEN}`);

/** Serves the measured requests, and 200 for anything else. */
export function serveFloor(reads: FloorReads): void {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = request;
    if (method === 'POST') return checkForm(request, response);
    if (url === '/api/v1/me') return send(response, reads.me(readBearerToken(request)));
    if (url === LIST) return send(response, isAdmin(request) ? reads.list() : undefined);
    sendText(response, 200, '{"status":"pass"}');
  };
  createServer({ optimizeEmptyRequests: true }, listener).listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

function readBearerToken({ headers }: IncomingMessage): string {
  return headers.authorization!.slice(BEARER.length);
}

function isAdmin({ headers }: IncomingMessage): boolean {
  const header = Buffer.from(headers.authorization!);
  return header.length === adminHeader.length && timingSafeEqual(header, adminHeader);
}

function checkForm(request: IncomingMessage, response: ServerResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const errors = checkFields(JSON.parse(text).fields);
    sendText(response, errors.length === 0 ? 200 : 400, JSON.stringify({ errors }));
  });
}

function send(response: ServerResponse, result: FloorResult): void {
  if (result === undefined) sendText(response, 401, '{}');
  else sendText(response, 200, result);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Position of the id in the JSON of a user, which begins with it. */
const ID_START = '{"id":"'.length;
const ID_LENGTH = 36;

/** Joins one user more than a page has, as JSON, to the body of the list. */
export function formatList(found: readonly string[]): string {
  const last = found.length > LIST_LENGTH ? found[LIST_LENGTH - 1]! : null;
  const next = last === null ? 'null' : `"${last.slice(ID_START, ID_START + ID_LENGTH)}"`;
  return `{"message":"Users list","data":[${found.slice(0, LIST_LENGTH).join()}],"next_cursor":${next}}`;
}

export const formatMe = (user: string) => `{"message":"Current user","data":${user}}`;
