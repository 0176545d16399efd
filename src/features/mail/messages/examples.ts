/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId } from '../../users/records/schemas.ts';

const id = '01938c5e-7b10-7d4e-8f3a-4b6c8d0e1f2a';

const mail = {
  id,
  kind: 'verify_email',
  user_id: exampleId,
  recipient: 'ada@example.com',
  subject: 'Confirm your email address for Example',
  state: 'waiting',
  reason: null,
  attempts: 1,
  last_error: 'RCPT TO 451 4.7.1',
  created_at: '2026-01-05T09:30:00.000Z',
  next_attempt_at: '2026-01-05T09:31:04.000Z',
  expires_at: '2026-01-08T09:30:00.000Z',
  ended_at: null,
};

const text = `Hello Ada Lovelace,

Please confirm that this is your email address for your account at Example.

Confirm email address:
https://id.example.com/account/verify-email/••••
`;

export const list = { message: 'Messages list', data: [mail], next_cursor: null };
export const detail = { message: `Message ${id}`, data: { ...mail, text, link: null } };
export const retried = { message: `Message ${id}`, data: mail };
const ended = { next_attempt_at: null, expires_at: null, ended_at: '2026-01-05T09:30:20.000Z' };
export const cancelled = { message: `Message ${id}`, data: { ...mail, state: 'cancelled', ...ended } };
