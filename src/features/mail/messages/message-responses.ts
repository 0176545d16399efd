/** Responses with messages. */
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import { formatTimes } from '../../../lib/time.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { FALLBACK_LANGUAGE } from '../../texts/language-texts.ts';
import type { Texts } from '../../texts/texts.ts';
import { formatSubject } from '../content/render-mail.ts';
import type { MailKind } from '../queries.ts';
import type { MessageRow } from './queries.ts';

/** Returns the subject of messages of a kind. */
export type FormatSubject = (kind: MailKind) => string;

/** Returns a message as the API shows it. */
export function messageView(message: MessageRow, formatSubject: FormatSubject) {
  const times = formatTimes(message, ['created_at', 'next_attempt_at', 'expires_at', 'ended_at']);
  return { ...times, recipient: message.email, subject: formatSubject(message.kind) };
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

export interface SubjectDeps {
  readonly texts: Texts;
  readonly settings: CurrentSettingsSource;
}

/** Returns the function that formats subjects in English. */
export async function createSubjectFormat({ texts, settings }: SubjectDeps): Promise<FormatSubject> {
  const english = await texts.get(FALLBACK_LANGUAGE);
  const { instanceName } = settings.current;
  return (kind) => formatSubject(english, kind, instanceName);
}
