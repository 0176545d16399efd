/** Events in words. */
import type { AuditEvent } from '../../common/api-types.ts';
import { getTypeText, REASONS } from './event-types.ts';

export type Tone = 'bad' | 'warn' | undefined;

/** Only failures are red, and what administrators did is amber. */
export function getTone({ outcome, actor }: AuditEvent): Tone {
  if (outcome === 'failure') return 'bad';
  return actor.type === 'administrator' ? 'warn' : undefined;
}

/** Returns what happened, in a few words: `Login failed: wrong password`. */
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
export function formatSentence(event: AuditEvent): string {
  const { done, doneBySelf } = getTypeText(event.type);
  if (isBySelf(event) && doneBySelf !== undefined)
    return `${formatSubject(event)} ${adapt(event, doneBySelf)}.`;
  return `${formatActor(event, 'sentence')} ${adapt(event, done).replace('{}', () => formatSubject(event))}.`;
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

/** Returns the subject of the event. */
export function formatSubject({ user, subject, details }: AuditEvent): string {
  if (user !== null) return user.email ?? user.name ?? user.id;
  if (subject === null) return 'an unknown account';
  const [kind, id] = subject.split(':');
  if (kind === 'user') return `the user ${id}`;
  if (kind === 'credential' && details?.name) return `the credential “${details.name}”`;
  return id === undefined ? `the ${kind}` : `the ${kind} ${id}`;
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
