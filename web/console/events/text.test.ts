import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT_TYPE_NAMES } from '../../../src/features/events/event-types.ts';
import type { AuditEvent } from '../../common/api-types.ts';
import {
  formatSubject,
  formatSubjectCell,
  getActorLink,
  getSubjectLink,
  type SubjectNames,
} from './subject.ts';
import { formatActor, formatLabel, formatReason, formatSentence, getConsequence } from './text.ts';

const ADA = { id: 'a1', email: 'ada@example.com', name: 'Ada' };

const LAPTOP = { type: 'administrator', id: 'c9', name: 'laptop', kind: 'credential' } as const;

function makeEvent(changes: Partial<AuditEvent>): AuditEvent {
  return {
    id: 'e1',
    type: 'user.updated',
    time: '2026-11-22T10:00:00.000Z',
    subject: 'user:a1',
    sequence: 1,
    actor: LAPTOP,
    outcome: 'success',
    reason: null,
    changes: [],
    details: {},
    address: null,
    device: null,
    occurrences: 1,
    first_at: null,
    last_at: null,
    request_id: null,
    user: ADA,
    ...changes,
  };
}

const ANONYMOUS = { type: 'anonymous', id: null, name: null, kind: null } as const;
const SELF = { type: 'user', id: 'a1', name: null, kind: null } as const;
const SERVICE = { type: 'system', id: null, name: null, kind: null } as const;

describe('the text of events', () => {
  test('the text of a failed login says why, and how often it happened', () => {
    const event = makeEvent({
      type: 'login.failed',
      actor: ANONYMOUS,
      outcome: 'failure',
      reason: 'wrong_password',
      occurrences: 12,
    });
    assert.equal(formatLabel(event), 'Login failed: wrong password, 12 times');
    assert.equal(formatSentence(event), 'Login failed for ada@example.com: wrong password.');
    assert.equal(formatReason(event), 'The password was wrong.');
    assert.equal(getConsequence(event), 'failure');
  });

  test('the text of an action of an administrator names the credential and the user', () => {
    const event = makeEvent({ type: 'user.disabled' });
    assert.equal(formatSentence(event), 'The credential “laptop” disabled ada@example.com.');
    assert.equal(formatActor(event, 'cell'), 'laptop');
  });

  for (const [kind, cell, sentence] of [
    ['person', 'Bob', 'Bob'],
    ['credential', 'Bob', 'The credential “Bob”'],
    ['first_owner', 'First owner', 'The first owner (ADMIN_TOKEN)'],
    ['command_line', 'Command line', 'The command line'],
  ] as const) {
    test(`the text of an administrator of the kind ${kind} tells people from ways in`, () => {
      const event = makeEvent({ actor: { type: 'administrator', id: 'b1', name: 'Bob', kind } });
      assert.equal(formatActor(event, 'cell'), cell);
      assert.equal(formatSentence(event), `${sentence} changed ada@example.com.`);
    });
  }

  test('an event leads to its administrator unless that is a way in, was erased, or is the subject', () => {
    const link = (kind: 'person' | 'credential' | 'first_owner', id: string | null, name: string | null) =>
      getActorLink(makeEvent({ actor: { type: 'administrator', id, name, kind } }));
    assert.equal(link('person', 'b1', 'Bob'), '/console/users/b1');
    assert.equal(link('credential', 'c1', 'laptop'), '/console/credentials');
    assert.equal(link('person', 'b1', null), null);
    assert.equal(link('person', 'a1', 'Ada'), null);
    assert.equal(link('first_owner', null, 'ADMIN_TOKEN'), null);
    assert.equal(getActorLink(makeEvent({ actor: SELF, user: null })), '/console/users/a1');
  });

  test('failures, destruction and interventions of administrators have a consequence, others have none', () => {
    const of = (type: AuditEvent['type'], changes: Partial<AuditEvent> = {}) =>
      getConsequence(makeEvent({ type, ...changes }));
    assert.equal(of('user.disabled'), 'intervention');
    assert.equal(of('password.changed', { actor: SELF }), undefined);
    assert.equal(of('user.erased', { actor: SELF }), 'destruction');
    assert.equal(of('user.erased', { outcome: 'failure' }), 'failure');
    assert.equal(of('webhook.disabled', { actor: SERVICE }), 'failure');
    assert.equal(of('session.opened'), undefined);
    assert.equal(of('user.future' as AuditEvent['type']), undefined);
  });

  test('each type of events has a sentence in the past tense without a placeholder, whoever has caused it', () => {
    for (const type of EVENT_TYPE_NAMES) {
      for (const actor of [LAPTOP, ANONYMOUS, SELF, SERVICE]) {
        const text = formatSentence(makeEvent({ type, actor }));
        assert.match(text, /^(?:[A-Z]|ada@)[^{}]* \w+[^{}]*\.$/);
        assert.match(text, /\b(?:\w+ed|made|sent|set|reset|took|could)\b/, text);
        assert.doesNotMatch(text, /undefined|somebody|\.\./i);
      }
    }
  });

  test('the service that changes something itself is told as the service', () => {
    const none = { user: null, subject: 'settings', actor: SERVICE };
    const settings = makeEvent({ type: 'settings.changed', ...none });
    assert.equal(formatSentence(settings), 'The service started with other settings.');
    const failed = makeEvent({ type: 'backup.failed', details: { message: 'the disk is full' }, ...none });
    assert.equal(formatReason(failed), 'The disk is full');
  });

  test('the text of a request without permission names the scope', () => {
    const event = makeEvent({
      type: 'access.denied',
      outcome: 'failure',
      reason: 'users:write',
      actor: SELF,
    });
    assert.equal(formatLabel(event), 'Access denied: no scope users:write');
    assert.equal(
      formatSentence(event),
      'The service rejected a request of ada@example.com: no scope users:write.',
    );
    assert.equal(formatReason(event), 'The token or credential lacks the scope users:write.');
  });

  test('the text of actions of users on their own account names them once', () => {
    const registered = makeEvent({ type: 'user.created', actor: SELF });
    assert.equal(formatLabel(registered), 'Registered');
    assert.equal(formatSentence(registered), 'ada@example.com registered.');
    const loggedOut = makeEvent({ type: 'token.revoked', actor: SELF, reason: 'logout' });
    assert.equal(formatLabel(loggedOut), 'Logged out');
    assert.equal(formatSentence(loggedOut), 'ada@example.com logged out.');
  });

  test('the text of an event of several tokens or sessions uses the plural', () => {
    const event = makeEvent({ type: 'token.revoked', reason: 'several' });
    assert.equal(formatLabel(event), 'Tokens revoked');
    assert.equal(formatSentence(event), 'The credential “laptop” revoked several tokens of ada@example.com.');
    const ended = makeEvent({ type: 'session.ended', reason: 'several' });
    assert.equal(formatSentence(ended), 'The credential “laptop” ended all sessions of ada@example.com.');
  });

  test('the text of events of erased users, of webhooks and of later releases names their known members', () => {
    const erased = makeEvent({ type: 'user.erased', user: null });
    assert.equal(formatSentence(erased), 'The credential “laptop” erased the user a1.');
    const later = makeEvent({ type: 'user.merged_again' as AuditEvent['type'], reason: 'not_known' });
    assert.equal(formatLabel(later), 'user merged again: not known');
  });

  test('the text of events of webhooks has their host, says that they were deleted, and never has their id', () => {
    const event = makeEvent({ type: 'webhook.updated', subject: 'webhook:w1', user: null });
    const deletion = { ...event, type: 'webhook.deleted' } as const;
    const known = { webhook: new Map([['webhook:w1', 'hooks.example.com']]) };
    const others = { webhook: new Map([['webhook:w2', 'hooks.example.com']]) };
    const texts = (each: AuditEvent, names: SubjectNames) => [
      formatSubject(each, names),
      formatSentence(each, names),
      getSubjectLink(each, names),
    ];
    const by = 'The credential “laptop”';
    const host = 'the webhook hooks.example.com';
    assert.deepEqual(texts(event, known), [host, `${by} changed ${host}.`, '/console/webhooks/w1']);
    assert.equal(formatSubjectCell(event, known), 'Webhook hooks.example.com');
    assert.equal(formatSubjectCell(event, others), 'Deleted webhook');
    assert.deepEqual(texts(event, others), ['a deleted webhook', `${by} changed a deleted webhook.`, null]);
    assert.deepEqual(texts(event, {}), ['a webhook', `${by} changed a webhook.`, null]);
    assert.deepEqual(texts(deletion, others), ['a deleted webhook', `${by} deleted a webhook.`, null]);
    assert.deepEqual(texts(deletion, {}), ['a deleted webhook', `${by} deleted a webhook.`, null]);
  });

  test('the text of events of credentials has their name, also after they were revoked', () => {
    const event = makeEvent({
      type: 'credential.rotated',
      subject: 'credential:c1',
      user: null,
      details: { name: 'Backup' },
    });
    const revoked = { ...event, type: 'credential.revoked' } as const;
    const known = { credential: new Map([['credential:c1', 'Backup']]) };
    const none = { credential: new Map<string, string>() };
    assert.equal(formatSubject(event, known), 'the credential “Backup”');
    assert.equal(getSubjectLink(event, known), '/console/credentials');
    assert.equal(formatSubject(event, none), 'the deleted credential “Backup”');
    assert.equal(getSubjectLink(event, none), null);
    assert.equal(formatSentence(revoked, none), 'The credential “laptop” revoked the credential “Backup”.');
  });

  test('the text of events of forms has their title, and events of submissions lead to them', () => {
    const event = makeEvent({ type: 'form.published', subject: 'form:f1', user: null });
    const known = { form: new Map([['form:f1', 'Contact']]) };
    assert.equal(formatSentence(event, known), 'The credential “laptop” published the form “Contact”.');
    assert.equal(getSubjectLink(event, known), '/console/forms/f1');
    assert.equal(formatSubject(event, {}), 'the form f1');
    assert.equal(getSubjectLink(event, {}), null);
    const received = makeEvent({
      type: 'submission.received',
      subject: 'form:f1',
      user: null,
      details: { form_id: 'f1', submission_id: 's1', held: false },
    });
    const ofEarlierRelease = {
      ...received,
      subject: 'submission:s1',
      details: { form_id: 'f1', held: false },
    };
    for (const each of [received, ofEarlierRelease]) {
      assert.equal(formatSentence(each, known), 'The credential “laptop” submitted the form “Contact”.');
      assert.equal(getSubjectLink(each, {}), '/console/forms/f1/submissions/s1');
      assert.equal(getSubjectLink({ ...each, type: 'submission.deleted' }, {}), null);
    }
  });
});
