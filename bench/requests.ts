/** Requests as they go over the wire, made before the clock runs. */
import { randomUUID } from 'node:crypto';

export const ADMIN_TOKEN = 'administrator-credential-of-the-bench';

const COMMON = 'Host: 127.0.0.1\r\nUser-Agent: frontdesk-bench\r\nAccept: */*\r\n';

/** A GET, with this bearer credential if there is one. */
export function get(path: string, credential?: string): string {
  const authorization = credential === undefined ? '' : `Authorization: Bearer ${credential}\r\n`;
  return `GET ${path} HTTP/1.1\r\n${COMMON}${authorization}\r\n`;
}

export function post(path: string, body: unknown, idempotencyKey?: string): string {
  const text = JSON.stringify(body);
  const key = idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`;
  const head = `${COMMON}${key}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${head}\r\n${text}`;
}

export const PASSWORD = 'correct horse battery staple';
/** More than any machine of today hashes in a round: an address must not come twice. */
const MOST_REGISTRATIONS = 20_000;

/** Gives, each time it is asked, registrations of people that are not in the database yet. */
export function newRegistrations(): (isKeyed?: boolean) => string[] {
  let round = 0;
  return (isKeyed = false) => {
    round++;
    return Array.from({ length: MOST_REGISTRATIONS }, (_, number) => {
      const email = `new-${round}-${number}@example.com`;
      const key = isKeyed ? randomUUID() : undefined;
      return post('/api/register', { name: `New ${number}`, email, password: PASSWORD }, key);
    });
  };
}

/** Five valid fields, about 300 bytes. */
export const FORM = {
  fields: [
    { label: 'first_name', type: 'text', is_required: true },
    { label: 'email-address', type: 'email', is_required: true },
    { label: 'date_of_birth', type: 'date', is_required: false },
    { label: 'seats', type: 'number', is_required: true },
    { label: 'accept_terms', type: 'checkbox', is_required: true },
  ],
};
