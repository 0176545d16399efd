import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { startTestDelivery } from '../../../../test/support/mail.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { createTestLink } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { newUserData, startService, useSharedService } from '../../../../test/support/service.ts';
import { startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { insertLoggedInUser, markEmailVerified, register } from '../../../../test/support/users.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, formatTimestamp } from '../../../lib/time.ts';
import { recordActiveUsers } from '../../activity/active-users/active-users.ts';
import { recordEvent } from '../../events/record-event.ts';
import { insertGroup, insertMembers } from '../../groups/queries.ts';

const PATH = '/api/v1/me/export';

describeOnEachEngine('GET /api/v1/me/export', (engine) => {
  const service = useSharedService(engine);
  const getExport = (token: string | undefined) =>
    service.api.get(PATH, token === undefined ? {} : { token });

  test('the export of an account returns everything that is stored about the user, as a file that is not cached', async () => {
    const now = Date.UTC(2026, 2, 31, 23, 30);
    const started = await startService(engine, { clock: () => now });
    const { api, service: running, stop } = started;
    try {
      const person = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a good password' };
      const { body: registered } = await api.post('/api/register', person, {
        headers: { 'idempotency-key': 'ada-registers-once' },
      });
      const token: string = registered.access_token;
      await api.post('/api/login', person);
      const { id } = (await api.get('/api/v1/me', { token })).body.data;
      await markEmailVerified(started, id, now);
      const newEmail = 'ada@example.org';
      await api.patch('/api/v1/me', { email: newEmail, current_password: person.password }, { token });
      const { data: user } = (await api.get('/api/v1/me', { token })).body;
      await running.database.transaction((tx) => recordActiveUsers(tx, now - DAY, [user.id]));
      await running.database.transaction(async (tx) => {
        const group = {
          id: newId(),
          name: 'staff',
          title: 'Staff',
          created_at: now,
          updated_at: now,
          version: 1,
        };
        await insertGroup(tx, group);
        await insertMembers(tx, [[group.id, id]], now);
      });
      await api.post('/api/v1/password-resets', { email: 'ADA@example.com' });
      const { status, headers, body } = await api.get(PATH, { token });
      assert.equal(status, 200);
      assert.equal(
        headers.get('content-disposition'),
        'attachment; filename="frontdesk-export-2026-03-31.json"',
      );
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(headers.get('content-type')!, /^application\/json/);
      const at = '2026-03-31T23:30:00.000Z';
      assert.equal(body.exported_at, at);
      assert.deepEqual(body.user, { ...user, groups: ['staff'], last_login_at: at, has_password: true });
      const { body: list } = await api.get('/api/v1/tokens', { token });
      assert.deepEqual(
        pluck(body.tokens, 'id'),
        list.data.map(({ id }: { id: string }) => id),
      );
      assert.deepEqual(
        body.events.map(({ type, actor, time }: { type: string; actor: { type: string }; time: string }) => [
          type,
          actor.type,
          time,
        ]),
        ['email.change_requested', 'login.succeeded', 'user.created'].map((type) => [type, 'user', at]),
      );
      assert.deepEqual(body.known_networks, [{ first_login_at: at, last_login_at: at }]);
      assert.ok(body.active_days.includes('2026-03-30'));
      assert.deepEqual(
        body.pending_messages
          .map(({ kind, email, new_email }: Record<string, string>) => [kind, email, new_email])
          .sort(),
        [
          ['email_change_requested', person.email, newEmail],
          ['reset_password', 'ADA@example.com', null],
          ['verify_email', person.email, null],
        ],
      );
      assert.deepEqual(body.stored_responses, [
        { route: 'POST /api/register', expires_at: '2026-04-01T23:30:00.000Z' },
      ]);
    } finally {
      await stop();
    }
  });

  test('the export of an account contains no secret and nothing of other users', async () => {
    const [person, other] = [await register(service), await register(service)];
    const link = await createTestLink(service, 'verify_email', { user: person });
    const { text, body } = await getExport(person.token);
    assert.deepEqual(
      body.pending_links.map(({ kind, email }: Record<string, string>) => [kind, email]),
      [['verify_email', person.email]],
    );
    for (const secret of [person.token, person.password, link, '$argon2', other.id, other.email]) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.doesNotMatch(text, /[0-9a-f]{64}/, 'no hash');
  });

  test('the export of an account does not reveal whether the requested new email is taken', async () => {
    const other = await register(service);
    const [asksForTaken, asksForFree] = [await register(service), await register(service)];
    const free = newUserData().email;
    for (const [{ token, password }, email] of [
      [asksForTaken, other.email],
      [asksForFree, free],
    ] as const) {
      const change = { email, current_password: password };
      assert.equal((await service.api.patch('/api/v1/me', change, { token })).status, 200);
    }
    // The delivery drops the message to the taken address, and sends the other one with a link.
    const smtp = await startSmtpServer();
    const { delivery } = startTestDelivery(service.database, smtp, { clock: () => Date.now() });
    await delivery.deliverDue();
    await delivery.close();
    await smtp.close();
    assert.ok(smtp.received.some(({ recipients }) => recipients.includes(free)));
    assert.ok(
      !smtp.received.some(
        ({ recipients, text }) => recipients.includes(other.email) && text?.includes('/change-email/'),
      ),
    );
    const getPending = async (token: string) => {
      const { pending_messages, pending_links, events } = (await getExport(token)).body;
      const types = events.map(({ type: kind }: { type: string }) => ({ kind }));
      const kinds = (rows: { kind: string }[]) => rows.map(({ kind }) => kind).sort();
      return [pending_messages, pending_links, types].map(kinds);
    };
    assert.deepEqual(await getPending(asksForTaken.token), await getPending(asksForFree.token));
  });

  test('the export of an account changes nothing: not the version, and no event is recorded', async () => {
    const person = await register(service);
    const first = await getExport(person.token);
    const second = await getExport(person.token);
    const { user, events } = first.body;
    assert.deepEqual([second.body.user, second.body.events], [user, events]);
  });

  test('the export of an account has the 1,000 newest events of a user with more', async () => {
    const { database } = service;
    const person = await insertLoggedInUser(database);
    const start = Date.UTC(2026, 0, 1);
    await database.transaction(async (tx) => {
      for (let number = 0; number < 1_002; number++) {
        const now = start + number;
        await recordEvent(tx, { type: 'password.changed', userId: person.id, actor: 'user', now });
      }
    });
    await numberAllEvents(database);
    const { body } = await getExport(person.token);
    const times = body.events.map(({ time }: Record<string, string>) => time);
    const expected = Array.from({ length: 1_000 }, (_, index) => formatTimestamp(start + 1_001 - index));
    assert.deepEqual(times, expected);
  });
});
