/** Subjects of events in words, with the page of each. */
import { signal } from '@preact/signals';
import type { AuditEvent } from '../../common/api-types.ts';
import { capitalize, formatCount } from '../../common/page-language.ts';

/** Returns the subject of the event, without the ids of webhooks and credentials. */
export function formatSubject(event: AuditEvent, names: SubjectNames = subjectNames.value): string {
  const { user, subject, details, folded } = event;
  if (folded) return `${formatCount(folded.events)} ${subject!.split(':')[0]!.replaceAll('_', ' ')}s`;
  if (user !== null) return user.email ?? user.name ?? user.id;
  if (subject === null) return 'an unknown account';
  const [kind = '', id] = subject.split(':');
  if (kind === 'webhook' || kind === 'credential')
    return formatRecord(event, isDeleted(event, names) ? `deleted ${kind}` : kind, names);
  // Of earlier releases: the events of submissions are those of their form.
  if (kind === 'submission') return formatSubject({ ...event, subject: `form:${details?.form_id}` }, names);
  const noun = kind.replaceAll('_', ' ');
  // Not all forms may have been loaded.
  if (names[kind]?.has(subject) || details?.name != null) return formatRecord(event, noun, names);
  return id === undefined ? `the ${noun}` : `the ${noun} ${id}`;
}

/** Returns the subject as it was at the time: one that was deleted by the event still existed. */
export function formatSubjectThen(event: AuditEvent, names: SubjectNames): string {
  return DELETIONS.includes(event.type) && !event.folded
    ? formatRecord(event, event.subject!.split(':')[0]!, names)
    : formatSubject(event, names);
}

/** Returns the subject at the beginning of a cell: `Webhook hooks.example.com`. */
export function formatSubjectCell(event: AuditEvent, names?: SubjectNames): string {
  const text = formatSubject(event, names);
  if (event.user !== null && !event.folded) return text;
  return capitalize(text.replace(/^(?:the|an?) /, ''));
}

/** Returns a record with its name if that is known. */
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
  const { user, subject, details, type, folded } = event;
  if (folded) return null;
  if (user !== null) return `/console/users/${user.id}`;
  const [kind = '', id] = subject?.split(':') ?? [];
  const submission = kind === 'submission' ? id : details?.submission_id;
  if (submission != null && type !== 'submission.deleted')
    return `/console/forms/${details?.form_id}/submissions/${submission}`;
  if (names[kind]?.has(subject!) !== true) return null;
  // These have no page of their own.
  if (kind === 'credential') return '/console/credentials';
  return kind === 'identity_provider' ? '/console/sign-in' : `/console/${kind}s/${id}`;
}

/** Returns the view of the administrator who has caused the event; null if there is none, or the user is the subject. */
export function getActorLink({ actor, user }: AuditEvent): string | null {
  if (actor.kind === 'credential') return '/console/credentials';
  const isPerson = actor.kind === 'person' || actor.type === 'user';
  // People without a name were erased.
  if (!isPerson || actor.id === user?.id || (actor.kind === 'person' && actor.name === null)) return null;
  return actor.id === null ? null : `/console/users/${actor.id}`;
}

/** Returns the application for which the event happened. */
export function getApplicationId({ details }: AuditEvent): string | null {
  return typeof details?.application_id === 'string' ? details.application_id : null;
}

/**
 * Names by subject, such as `webhook:…`, of each kind of subject. Without those of a kind, it is not known which of
 * them were deleted.
 */
export type SubjectNames = Readonly<Partial<Record<string, ReadonlyMap<string, string>>>>;

export const subjectNames = signal<SubjectNames>({});
