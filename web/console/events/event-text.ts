/** Events in words. */
import type { AuditEvent } from '../../common/api-types.ts';
import { capitalize } from '../../common/capitalize.ts';
import { getTypeText, REASONS } from './event-types.ts';
import { type SubjectNames, subjectNames } from './subject-names.ts';

export type Tone = 'bad' | 'warn' | undefined;

/** Only failures are red, and actions of administrators are amber. */
export function getTone({ outcome, actor }: AuditEvent): Tone {
  if (outcome === 'failure') return 'bad';
  return actor.type === 'administrator' ? 'warn' : undefined;
}

/** Returns a short description: `Login failed: wrong password`. */
export function formatLabel(event: AuditEvent): string {
  const { reason, occurrences } = event;
  const short = reason === null ? undefined : (REASONS[reason]?.[0] ?? reason.replaceAll('_', ' '));
  const times = occurrences > 1 ? `, ${occurrences} times` : '';
  return `${toLabel(event)}${short === undefined || isTold(event) ? '' : `: ${short}`}${times}`;
}

function toLabel(event: AuditEvent): string {
  if (event.type === 'user.created' && isBySelf(event)) return 'Registered';
  if (event.type === 'token.revoked' && event.reason === 'logout') return 'Logged out';
  if (event.type === 'token.revoked' && event.reason === 'several') return 'Tokens revoked';
  return getTypeText(event.type).label;
}

/** Whether the label has the reason. */
function isTold({ type }: AuditEvent): boolean {
  return type === 'token.revoked';
}

/** Whether users did it to their own account. */
function isBySelf({ actor, subject }: AuditEvent): boolean {
  return actor.type === 'user' && (actor.id === null || subject === `user:${actor.id}`);
}

/** Returns the actor, the action and the subject as a sentence: `The administrator “laptop” disabled ada@example.com.` */
export function formatSentence(event: AuditEvent, names: SubjectNames = subjectNames.value): string {
  const { done, doneBySelf } = getTypeText(event.type);
  if (isBySelf(event) && doneBySelf !== undefined)
    return `${formatSubject(event, names)} ${adapt(event, doneBySelf)}.`;
  // A subject that was deleted by this event still existed then.
  const format = () =>
    DELETIONS.includes(event.type)
      ? formatRecord(event, event.subject!.split(':')[0]!, names)
      : formatSubject(event, names);
  return `${formatActor(event, 'sentence')} ${adapt(event, done).replace('{}', format)}.`;
}

function adapt({ type, reason }: AuditEvent, done: string): string {
  if (type === 'token.revoked' && reason === 'logout') return 'logged out';
  if (type === 'token.revoked' && reason === 'several') return done.replace('a token', 'several tokens');
  return done;
}

/** Returns why, as a sentence; null if there is nothing to tell. */
export function formatReason({ reason }: AuditEvent): string | null {
  if (reason === null) return null;
  return REASONS[reason]?.[1] ?? reason.replaceAll('_', ' ');
}

/** Returns the subject of the event, without the ids of webhooks and credentials. */
export function formatSubject(event: AuditEvent, names: SubjectNames = subjectNames.value): string {
  const { user, subject } = event;
  if (user !== null) return user.email ?? user.name ?? user.id;
  if (subject === null) return 'an unknown account';
  const [kind = '', id] = subject.split(':');
  if (kind === 'webhook' || kind === 'credential')
    return formatRecord(event, isDeleted(event, names) ? `deleted ${kind}` : kind, names);
  const noun = kind.replaceAll('_', ' ');
  // Not all forms may have been loaded.
  if (names[kind]?.has(subject)) return formatRecord(event, noun, names);
  return id === undefined ? `the ${noun}` : `the ${noun} ${id}`;
}

/** Returns the subject at the beginning of a cell: `Webhook hooks.example.com`. */
export function formatSubjectCell(event: AuditEvent, names?: SubjectNames): string {
  const text = formatSubject(event, names);
  if (event.user !== null) return text;
  return capitalize(text.replace(/^(?:the|an?) /, ''));
}

/** Returns a webhook or a credential: with its name if that is known. */
function formatRecord({ subject, details }: AuditEvent, noun: string, names: SubjectNames): string {
  const [kind = ''] = subject!.split(':');
  const name = names[kind]?.get(subject!) ?? details?.name;
  if (name === undefined || name === null) return `a ${noun}`;
  return kind === 'webhook' ? `the ${noun} ${name}` : `the ${noun} “${name}”`;
}

/** Whether the webhook or credential is not there any more; false if that is not known. */
function isDeleted({ subject, type }: AuditEvent, names: SubjectNames): boolean {
  const known = names[subject!.split(':')[0]!];
  return known === undefined ? DELETIONS.includes(type) : !known.has(subject!);
}

/** The last events of their subjects. */
const DELETIONS: readonly string[] = ['webhook.deleted', 'credential.revoked'];

/** Returns the view of the subject; null if there is none, or it was deleted. */
export function getSubjectLink(event: AuditEvent, names: SubjectNames = subjectNames.value): string | null {
  const { user, subject, details, type } = event;
  if (user !== null) return `/console/users/${user.id}`;
  const [kind = '', id] = subject?.split(':') ?? [];
  if (kind === 'submission' && type !== 'submission.deleted')
    return `/console/forms/${details?.form_id}/submissions/${id}`;
  if (names[kind]?.has(subject!) !== true) return null;
  // These have no page of their own.
  if (kind === 'credential') return '/console/credentials';
  return kind === 'identity_provider' ? '/console/sign-in' : `/console/${kind}s/${id}`;
}

/** Returns who has caused the event, in a cell of a table or at the beginning of a sentence. */
export function formatActor(event: AuditEvent, place: 'cell' | 'sentence'): string {
  const { type, id, name } = event.actor;
  switch (type) {
    case 'administrator':
      if (place === 'cell') return name ?? 'Administrator';
      return name === null ? 'The administrator' : `The administrator “${name}”`;
    case 'user':
      if (isBySelf(event)) return 'The user';
      return place === 'cell' ? 'Another user' : `The user ${id}`;
    case 'anonymous':
      return place === 'cell' ? 'Not logged in' : 'Somebody who was not logged in';
    default:
      return place === 'cell' ? 'Service' : 'The service';
  }
}
