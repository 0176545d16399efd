/** Events in words. */
import {
  CONSEQUENCES,
  type Consequence,
  EVENT_TYPES,
  type EventType,
} from '../../../src/features/events/event-types.ts';
import type { EventText } from '../../../src/features/events/types/event-text.ts';
import type { AuditEvent } from '../../common/api-types.ts';
import { capitalize } from '../../common/page-language.ts';
import { formatSubject, formatSubjectThen, type SubjectNames, subjectNames } from './subject.ts';

/** Returns what readers should notice; undefined for usual events. */
export function getConsequence({ type, outcome, actor }: AuditEvent): Consequence | undefined {
  if (outcome === 'failure') return 'failure';
  const consequence = CONSEQUENCES[type];
  return consequence === 'intervention' && actor.type !== 'administrator' ? undefined : consequence;
}

/** Returns a short description: `Sign-in failed: wrong password`. */
export function formatLabel(event: AuditEvent): string {
  const times = event.occurrences > 1 ? `, ${event.occurrences} times` : '';
  return `${toLabel(event)}${formatShortReason(event)}${times}`;
}

function toLabel({ type, reason, ...event }: AuditEvent): string {
  if (type === 'user.created' && isBySelf(event)) return 'Registered';
  if (type === 'token.revoked' && reason === 'logout') return 'Signed out';
  if (type === 'token.revoked' && reason === 'several') return 'Tokens revoked';
  if (type === 'session.ended' && reason === 'several') return 'Signed out of all browsers';
  return getTypeText(type).label;
}

/** Returns the reason after the fact. The label of revoked tokens has it. */
function formatShortReason({ type, reason }: AuditEvent): string {
  if (reason === null || type === 'token.revoked') return '';
  if (type === 'access.denied') return `: no scope ${reason}`;
  return `: ${REASONS[reason]?.[0] ?? reason.replaceAll('_', ' ')}`;
}

/** Whether users did it to their own account. */
export function isBySelf({ actor, subject }: Pick<AuditEvent, 'actor' | 'subject'>): boolean {
  return actor.type === 'user' && (actor.id === null || subject === `user:${actor.id}`);
}

/** Returns the actor, the action and the subject as a sentence: `The credential “laptop” disabled ada@example.com.` */
export function formatSentence(event: AuditEvent, names: SubjectNames = subjectNames.value): string {
  const { done = '', doneBySelf, sentence } = getTypeText(event.type);
  const fill = (text: string) =>
    text
      .replace('{}', () => formatSubjectThen(event, names))
      .replace('{name}', () => String(event.details?.name));
  if (sentence !== undefined) return `${fill(sentence)}${formatShortReason(event)}.`;
  if (doneBySelf !== undefined && isBySelf(event))
    return `${formatSubject(event, names)} ${adapt(event, doneBySelf)}.`;
  const predicate = event.actor.type === 'system' && event.user === null ? (doneBySelf ?? done) : done;
  return `${formatActor(event, 'sentence')} ${fill(adapt(event, predicate))}.`;
}

function adapt({ type, reason }: AuditEvent, done: string): string {
  if (type === 'token.revoked' && reason === 'logout') return 'signed out';
  if (type === 'token.revoked' && reason === 'several') return done.replace('a token', 'several tokens');
  if (type === 'session.ended' && reason === 'several') return done.replace('a session', 'all sessions');
  return done;
}

/** Returns why, as a sentence; null if there is nothing to tell. */
export function formatReason({ type, reason, details }: AuditEvent): string | null {
  if (type === 'backup.failed' && typeof details?.message === 'string') return capitalize(details.message);
  if (reason === null) return null;
  if (type === 'access.denied') return `The token or credential lacks the scope ${reason}.`;
  return REASONS[reason]?.[1] ?? capitalize(`${reason.replaceAll('_', ' ')}.`);
}

/** Ways in that belong to nobody. */
const WAYS_IN = {
  first_owner: { cell: 'First owner', sentence: 'The first owner (ADMIN_TOKEN)' },
  command_line: { cell: 'Command line', sentence: 'The command line' },
} as const;

/** Returns who has caused the event, in a cell of a table or at the beginning of a sentence. */
export function formatActor(event: AuditEvent, place: 'cell' | 'sentence'): string {
  const { type, id, name, kind } = event.actor;
  if (kind === 'first_owner' || kind === 'command_line') return WAYS_IN[kind][place];
  if (kind === 'credential' && place === 'sentence') return `The credential “${name}”`;
  switch (type) {
    case 'administrator':
      return name ?? 'An administrator who was erased';
    case 'user':
      if (isBySelf(event)) return 'The user';
      return place === 'cell' ? 'Another user' : `The user ${id}`;
    case 'anonymous':
      return place === 'cell' ? 'Anonymous' : 'An anonymous client';
    default:
      return place === 'cell' ? 'Service' : 'The service';
  }
}

/** More types may be added, and another node may be of a later release. */
function getTypeText(type: string): Omit<EventText, 'meaning'> {
  if (Object.hasOwn(EVENT_TYPES, type)) return EVENT_TYPES[type as EventType];
  const label = type.replace(/[._]/g, ' ');
  return { label, done: `caused “${label}”, {}` };
}

/** Reasons, in lists and as sentences. */
export const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  unknown_email: ['no such email', 'There is no account with this email. It is not stored.'],
  wrong_password: ['wrong password', 'The password was wrong.'],
  disabled: ['account disabled', 'The account is disabled.'],
  unclaimed: ['no password yet', 'The account has no password yet: its user has to claim it by a link.'],
  no_password: ['no password', 'The account has no password: its user signs in otherwise.'],
  identity_provider: ['identity provider', 'The response of an identity provider was not accepted.'],
  wrong_email_code: ['wrong code', 'The code from the mail was wrong, had expired or had too many tries.'],
  wrong_code: ['wrong code', 'The password was right, the code of the second factor was not.'],
  unverified: ['email not verified', 'The email is not verified, which REQUIRE_VERIFIED_EMAIL demands.'],
  limited: ['too many attempts', 'There were too many attempts, so the password was not even compared.'],
  new_network: ['from a new network', 'The user had not signed in from this network before.'],
  logout: ['sign-out', 'The user signed out.'],
  several: ['several tokens', 'Several tokens were revoked at once.'],
  erasure: ['erasure begins', 'The erasure of the user has begun.'],
  gone: ['receiver is gone', 'The receiver responded with 410: it wants nothing more.'],
  failing: ['failed for five days', 'Nothing could be delivered for five days.'],
};
