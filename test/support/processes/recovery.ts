/** Links, queued messages and events of accounts, for tests. */
import { readLatestOfSubject } from '../../../src/features/events/queries.ts';
import { formatUserSubject } from '../../../src/features/events/record-event.ts';
import { enqueueMail } from '../../../src/features/mail/enqueue-mail.ts';
import { createLink } from '../../../src/features/mail/links/links.ts';
import type { LinkKind } from '../../../src/features/mail/links/queries.ts';
import { findDueMail, type MailKind } from '../../../src/features/mail/queries.ts';
import { HOUR } from '../../../src/lib/time.ts';
import { numberAllEvents } from '../events.ts';
import type { TestService } from '../service.ts';

export interface LinkInput {
  readonly id: string;
  readonly email: string | null;
}

/** Creates a link of a user as the message that contains it does, and returns its token. */
export function createTestLink(
  { service }: TestService,
  kind: LinkKind,
  { user, now = Date.now() }: { user: LinkInput; now?: number },
): Promise<string> {
  const link = { kind, userId: user.id, email: user.email!, now };
  return service.database.transaction((tx) => createLink(tx, link));
}

/** Queues a message, as the feature that causes it does. */
export function queueTestMail(
  { service }: TestService,
  kind: MailKind,
  { userId, email }: { userId: string | null; email: string },
): Promise<void> {
  return service.database.transaction((tx) => enqueueMail(tx, { kind, userId, email, now: Date.now() }));
}

/** Returns the messages to an address that wait to be sent, oldest first. */
export async function waitingMail({ service }: TestService, email: string | null) {
  const all = await findDueMail(service.database, Date.now() + HOUR, 10_000);
  const own = all.filter((mail) => mail.email === email).sort((a, b) => (a.id < b.id ? -1 : 1));
  return own.map(({ kind, user_id, data }) => ({ kind, user_id, data }));
}

/** Returns the kinds of the waiting messages to an address, oldest first. */
export async function waitingKinds(service: TestService, email: string | null): Promise<string[]> {
  return (await waitingMail(service, email)).map(({ kind }) => kind);
}

/** Returns the events of a user as `type by actor`, or `type (reason) by actor`, oldest first. */
export async function listEvents({ service }: TestService, userId: string): Promise<string[]> {
  await numberAllEvents(service.database);
  const events = await readLatestOfSubject(service.database, formatUserSubject(userId), 100);
  const toReason = (reason: string | null) => (reason === null ? '' : ` (${reason})`);
  return events.map(({ type, reason, actor }) => `${type}${toReason(reason)} by ${actor}`).reverse();
}

/** Logs in and returns the status and the token. */
export async function logIn({ api }: TestService, credentials: { email: string; password: string }) {
  const { email, password } = credentials;
  const { status, body } = await api.post('/api/login', { email, password });
  return { status, code: body.code as string | undefined, token: body.access_token as string };
}
