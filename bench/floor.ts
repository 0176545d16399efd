/**
 * The floor: the same answers from bare node:http and better-sqlite3, written by hand. No framework, no log,
 * no limits, no security headers: what is left is what the work itself costs.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import SQLite from 'better-sqlite3';
import { checkFields } from './floor-form-fields.ts';

const { PORT, DATABASE, ADMIN_TOKEN } = process.env as Record<string, string>;

const sqlite = new SQLite(DATABASE);
const USER =
  'select id, name, email, level, state, email_verified_at, created_at, updated_at, version from users';
const findToken = sqlite.prepare('select user_id from tokens where hash = ? and expires_at > ?');
const findUser = sqlite.prepare(`${USER} where id = ?`);
const listUsers = sqlite.prepare(`${USER} where id > ? order by id limit ?`);

interface UserRow {
  readonly id: string;
  readonly email_verified_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const LIST = '/api/v1/users?limit=20';
const LIST_LENGTH = 20;
const ONE = '/api/v1/users/';
const admin = hash('sha256', `Bearer ${ADMIN_TOKEN}`, 'buffer');

const server = createServer((request, response) => {
  const url = request.url!;
  if (request.method === 'POST') return checkForm(request, response);
  if (url === '/api/v1/me') return send(response, me(request));
  if (url === LIST) return send(response, isAdmin(request) ? list() : null);
  if (url.startsWith(ONE)) return send(response, isAdmin(request) ? one(url.slice(ONE.length)) : null);
  sendText(response, 200, '{"status":"pass"}');
});
server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

function me({ headers }: IncomingMessage): object | null {
  const token = hash('sha256', headers.authorization!.slice('Bearer '.length), 'hex');
  const found = findToken.get(token, Date.now()) as { user_id: string } | undefined;
  if (found === undefined) return null;
  return { message: 'Current user', data: view(findUser.get(found.user_id) as UserRow) };
}

function one(id: string): object {
  return { message: `User ${id}`, data: view(findUser.get(id) as UserRow) };
}

/** One row more than is shown says whether there is a next page. */
function list(): object {
  const found = listUsers.all('', LIST_LENGTH + 1) as UserRow[];
  const next = found.length > LIST_LENGTH ? found[LIST_LENGTH - 1]!.id : null;
  return { message: 'Users list', data: found.slice(0, LIST_LENGTH).map(view), next_cursor: next };
}

function view(user: UserRow): object {
  const verified = user.email_verified_at;
  return {
    ...user,
    email_verified_at: verified === null ? null : new Date(verified).toISOString(),
    created_at: new Date(user.created_at).toISOString(),
    updated_at: new Date(user.updated_at).toISOString(),
  };
}

function isAdmin({ headers }: IncomingMessage): boolean {
  return timingSafeEqual(hash('sha256', headers.authorization!, 'buffer'), admin);
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

function send(response: ServerResponse, body: object | null): void {
  if (body === null) sendText(response, 401, '{}');
  else sendText(response, 200, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
