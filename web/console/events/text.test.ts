import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT_TYPE_NAMES } from '../../../src/features/events/event-types.ts';
import { createListedEvent } from '../../../test/support/listed-event.ts';
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

const makeEvent = (changes: Partial<AuditEvent>) =>
  createListedEvent({
    type: 'user.updated',
    subject: 'user:a1',
    actor: LAPTOP,
    details: {},
    user: ADA,
    ...changes,
  });

const ANONYMOUS = { type: 'anonymous', id: null, name: null, kind: null } as const;
const SELF = { type: 'user', id: 'a1', name: null, kind: null } as const;
const SERVICE = { type: 'system', id: null, name: null, kind: null } as const;

const FORMATS = { label: formatLabel, sentence: formatSentence, reason: formatReason };

describe('the text of events', () => {
  const NO_PERMISSION = {
    type: 'access.denied',
    outcome: 'failure',
    reason: 'users:write',
    actor: SELF,
  } as const;
  const STARTED = { user: null, subject: 'settings', actor: SERVICE };
  const by = 'The credential “laptop”';
  type Row = [changes: object, expected: Partial<Record<keyof typeof FORMATS, string>>];
  const TEXTS: Readonly<Record<string, Row>> = {
    'a new member of a group names the group': [
      { type: 'group.member_added', details: { group_id: 'g1', name: 'staff' } },
      { sentence: `${by} added ada@example.com to the group “staff”.` },
    ],
    'a failed login says why, and how often it happened': [
      {
        type: 'login.failed',
        actor: ANONYMOUS,
        outcome: 'failure',
        reason: 'wrong_password',
        occurrences: 12,
      },
      {
        label: 'Sign-in failed: wrong password, 12 times',
        sentence: 'Sign-in failed for ada@example.com: wrong password.',
        reason: 'The password was wrong.',
      },
    ],
    'an action of an administrator names the credential and the user': [
      { type: 'user.disabled' },
      { sentence: `${by} disabled ada@example.com.` },
    ],
    'a change by the service itself names the service': [
      { type: 'settings.changed', ...STARTED },
      { sentence: 'The service started with other settings.' },
    ],
    'a failed backup has its cause': [
      { type: 'backup.failed', details: { message: 'the disk is full' }, ...STARTED },
      { reason: 'The disk is full' },
    ],
    'a request without permission names the scope': [
      NO_PERMISSION,
      {
        label: 'Access denied: no scope users:write',
        sentence: 'The service rejected a request of ada@example.com: no scope users:write.',
        reason: 'The token or credential lacks the scope users:write.',
      },
    ],
    'a registration names the user once': [
      { type: 'user.created', actor: SELF },
      { label: 'Registered', sentence: 'ada@example.com registered.' },
    ],
    'a logout names the user once': [
      { type: 'token.revoked', actor: SELF, reason: 'logout' },
      { label: 'Signed out', sentence: 'ada@example.com signed out.' },
    ],
    'several revoked tokens uses the plural': [
      { type: 'token.revoked', reason: 'several' },
      { label: 'Tokens revoked', sentence: `${by} revoked several tokens of ada@example.com.` },
    ],
    'several ended sessions uses the plural': [
      { type: 'session.ended', reason: 'several' },
      { sentence: `${by} ended all sessions of ada@example.com.` },
    ],
    'an erased user has the id of the user': [
      { type: 'user.erased', user: null },
      { sentence: `${by} erased the user a1.` },
    ],
    'an event of a later release has its type in words': [
      { type: 'user.merged_again', reason: 'not_known' },
      { label: 'user merged again: not known' },
    ],
  };
  for (const [what, [changes, expected]] of Object.entries(TEXTS)) {
    test(`the text of ${what}`, () => {
      const names = Object.keys(expected) as (keyof typeof FORMATS)[];
      const texts = names.map((name) => [name, FORMATS[name](makeEvent(changes))]);
      assert.deepEqual(Object.fromEntries(texts), expected);
    });
  }

  for (const [kind, cell, sentence] of [
    ['person', 'Bob', 'Bob'],
    ['credential', 'Bob', 'The credential “Bob”'],
    ['first_owner', 'First owner', 'The first owner (ADMIN_TOKEN)'],
    ['command_line', 'Command line', 'The command line'],
  ] as const) {
    test(`the text of an administrator of the kind ${kind} distinguishes people from ways in`, () => {
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
    const find = (type: AuditEvent['type'], changes: Partial<AuditEvent> = {}) =>
      getConsequence(makeEvent({ type, ...changes }));
    assert.equal(find('user.disabled'), 'intervention');
    assert.equal(find('login.failed', { outcome: 'failure' }), 'failure');
    assert.equal(find('password.changed', { actor: SELF }), undefined);
    assert.equal(find('user.erased', { actor: SELF }), 'destruction');
    assert.equal(find('user.erased', { outcome: 'failure' }), 'failure');
    assert.equal(find('webhook.disabled', { actor: SERVICE }), 'failure');
    assert.equal(find('session.opened'), undefined);
    assert.equal(find('user.future' as AuditEvent['type']), undefined);
  });

  test('each type of events has a sentence in the past tense without a placeholder, whoever has caused it', () => {
    for (const type of EVENT_TYPE_NAMES) {
      for (const actor of [LAPTOP, ANONYMOUS, SELF, SERVICE]) {
        const text = formatSentence(makeEvent({ type, actor, details: { name: 'staff' } }));
        assert.match(text, /^(?:[A-Z]|ada@)[^{}]* \w+[^{}]*\.$/);
        assert.match(text, /\b(?:\w+ed|made|sent|set|reset|took|could)\b/, text);
        assert.doesNotMatch(text, /undefined|somebody|\.\./i);
      }
    }
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
