/** Responses with messages. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../../idempotency/created-response.ts';
import { pageLinks } from '../../../lib/routes/pagination.ts';
import { timestamp } from '../../../lib/time/clock.ts';
import type { MailKind } from '../queries.ts';
import type { MessageRow } from './queries.ts';

const nullable = (time: number | null) => (time === null ? null : timestamp(time));

/** Returns the subject of messages of a kind. */
export type FormatSubject = (kind: MailKind) => string;

/** Returns a message as the API shows it. */
export function messageView(message: MessageRow, formatSubject: FormatSubject) {
  const { id, kind, user_id, email, state, reason, attempts, last_error } = message;
  return {
    id,
    kind,
    user_id,
    recipient: email,
    subject: formatSubject(kind),
    state,
    reason,
    attempts,
    last_error,
    created_at: timestamp(message.created_at),
    next_attempt_at: nullable(message.next_attempt_at),
    expires_at: nullable(message.expires_at),
    ended_at: nullable(message.ended_at),
  };
}

export interface SentPage {
  readonly messages: readonly MessageRow[];
  readonly formatSubject: FormatSubject;
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly limit: number;
  /** Query parameters that the next request has to repeat. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly url: string;
}

export function sendMessageList(reply: FastifyReply, page: SentPage): FastifyReply {
  const { messages, formatSubject, nextCursor } = page;
  const link = pageLinks(page);
  if (link !== undefined) reply.header('link', link);
  const data = messages.map((message) => messageView(message, formatSubject));
  return reply.send({ message: 'Messages list', data, next_cursor: nextCursor });
}

/** Returns the response to an act on a message. */
export function changedResponse(
  status: 200 | 202,
  message: MessageRow,
  formatSubject: FormatSubject,
): CreatedResponse {
  const { id, user_id } = message;
  const body = { message: `Message ${id}`, data: messageView(message, formatSubject) };
  return { status, headers: {}, body, createdResources: user_id === null ? {} : { userId: user_id } };
}
