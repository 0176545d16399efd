import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createCredential } from '../../../../test/support/credentials.ts';
import { keepHouse } from '../../../../test/support/housekeeping.ts';
import { enqueue, startTestDelivery } from '../../../../test/support/mail.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, openService, useService } from '../../../../test/support/service.ts';
import { rejection, startSmtpServer, type TestSmtpServer } from '../../../../test/support/smtp-server.ts';
import { until } from '../../../../test/support/until.ts';
import { insertTestUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, formatTimestamp, HOUR, MINUTE } from '../../../lib/time.ts';
import { leaseJob } from '../../jobs/queries.ts';
import { eraseUser } from '../../people/personal-data/erase-user.ts';
import type { NewMail } from '../enqueue-mail.ts';
import { revokeLinks } from '../links/links.ts';
import { expireMessages } from './end-message.ts';

const PATH = '/api/v1/admin/mail';
const token = ADMIN_TOKEN;
const LEASED = sql<{ id: string; attempts: number }>('select id, attempts from jobs where user_id = $1');
const EVENTS = sql<{ type: string; data: string }>(
  "select type, data from events where subject = $1 and type like 'mail.%' order by id",
);
const STORED = sql<{ rows: number }>('select count(*) as rows from mail_messages where email_key = $1');
const TEXTS = sql<{ rows: number }>('select count(*) as rows from mail_messages where content is not null');

describeOnEachEngine('messages of the administrator', (engine) => {
  const time = { now: Date.UTC(2026, 10, 22, 12) };
  const clock = () => time.now;
  const service = useService(engine, { clock });
  const { database } = service;
  let smtp: TestSmtpServer;
  before(async () => {
    smtp = await startSmtpServer({
      onRecipient: (address) => (address.startsWith('gone') ? rejection(550, '5.1.1 No such user') : null),
    });
  });
  after(async () => {
    await smtp.close();
  });

  /** With a worker of its own, which sends nothing that is queued later. */
  const deliverDue = async () => {
    const { delivery } = startTestDelivery(service.database, smtp, { clock });
    await delivery.deliverDue();
    await delivery.close();
  };
  const get = (path: string) => service.api.get(`${PATH}${path}`, { token });
  const post = (path: string) => service.api.post(`${PATH}${path}`, {}, { token });
  const list = async (query: string) => (await get(`?${query}`)).body.data;
  const states = async (email: string) =>
    (await list(`recipient=${email}`)).map(({ state, reason }: Record<string, string>) => [state, reason]);
  /** Queues a message to a new user. */
  const queue = async (changes: Partial<NewMail> = {}, prefix = 'ada') => {
    const email = `${prefix}-${newId()}@example.com`;
    const { id } = await insertTestUser(database, { name: 'Ada', email });
    await enqueue(database, { kind: 'verify_email', userId: id, email, now: time.now, ...changes });
    const [message] = await list(`recipient=${email}`);
    return { userId: id, email, id: message.id as string, message };
  };

  test('messages are listed while they wait and after they were sent, with their attempts and texts', async () => {
    const { id, userId, email, message } = await queue();
    assert.deepEqual(message, {
      id,
      kind: 'verify_email',
      user_id: userId,
      recipient: email,
      subject: 'Confirm your email address for Frontdesk',
      state: 'waiting',
      reason: null,
      attempts: 0,
      last_error: null,
      created_at: formatTimestamp(time.now),
      next_attempt_at: formatTimestamp(time.now),
      expires_at: formatTimestamp(time.now + 3 * DAY),
      ended_at: null,
    });
    const { text, link } = (await get(`/${id}`)).body.data;
    assert.match(text, /^Hello Ada,$/m);
    assert.match(text, /\/account\/verify-email\/••••$/m);
    assert.equal(link, null);
    await deliverDue();
    const sent = (await get(`/${id}`)).body;
    const ended = { state: 'sent', attempts: 1, next_attempt_at: null, expires_at: null };
    assert.deepEqual(sent.data, {
      ...message,
      ...ended,
      ended_at: formatTimestamp(time.now),
      text,
      link,
    });
    assert.equal(sent.message, `Message ${id}`);
  });

  test('messages are counted by state', async () => {
    const read = async () => (await get('/counts')).body.data;
    const before = await read();
    const { id } = await queue();
    const other = await queue();
    assert.deepEqual(await read(), { ...before, waiting: before.waiting + 2 });
    assert.equal((await post(`/${other.id}/cancel`)).status, 200);
    await deliverDue();
    assert.equal((await get(`/${id}`)).body.data.state, 'sent');
    assert.deepEqual(await read(), {
      ...{ ...before, waiting: 0, sent: before.sent + before.waiting + 1 },
      cancelled: before.cancelled + 1,
    });
  });

  test('messages are found by state, by recipient, by a part of the address and by time, in pages without gaps', async () => {
    const prefix = `page-${newId().slice(-12)}`;
    const start = time.now;
    const emails: string[] = [];
    for (let count = 0; count < 3; count++) {
      time.now += MINUTE;
      emails.unshift((await queue({}, prefix)).email);
      if (count === 0) await deliverDue();
    }
    const recipients = async (query: string) =>
      (await list(query)).map(({ recipient }: { recipient: string }) => recipient);
    assert.deepEqual(await recipients(`recipient=${prefix.toUpperCase()}`), emails);
    assert.deepEqual(await recipients(`recipient=${prefix}&state=waiting`), emails.slice(0, 2));
    assert.deepEqual(await recipients(`recipient=${prefix}&state=sent`), emails.slice(2));
    assert.deepEqual(await recipients(`recipient=${emails[1]}&state=sent`), []);
    assert.deepEqual(await recipients(`recipient=${prefix}&state=sending`), []);
    const span = `from=${formatTimestamp(start + 2 * MINUTE)}&to=${formatTimestamp(start + 3 * MINUTE)}`;
    assert.deepEqual(await recipients(span), [emails[1]]);
    for (const filter of [`from=${formatTimestamp(start + 1)}`, `recipient=${prefix}`]) {
      const seen: string[] = [];
      for (let query = `?limit=1&${filter}`; ; ) {
        const { body, headers } = await get(query);
        seen.push(...body.data.map(({ recipient }: { recipient: string }) => recipient));
        if (body.next_cursor === null) break;
        assert.match(headers.get('link') ?? '', /limit=1&cursor=.*rel="next"/);
        query = `?limit=1&${filter}&cursor=${body.next_cursor}`;
      }
      assert.deepEqual(seen, emails, filter);
    }
    await deliverDue();
  });

  test('messages that were not to be sent are listed with the reason: expired, superseded, or over the limit of the recipient', async () => {
    const expired = await queue();
    const superseded = await queue({ kind: 'reset_password' });
    await database.transaction((tx) =>
      revokeLinks(tx, { id: superseded.userId, email: superseded.email }, time.now),
    );
    assert.deepEqual(await states(superseded.email), [['dropped', 'not_needed']]);
    time.now += 3 * DAY;
    await database.transaction((tx) => expireMessages(tx, time.now, 500));
    assert.deepEqual(await states(expired.email), [['failed', 'expired']]);
    const limited = await queue();
    for (let count = 0; count < 3; count++)
      await enqueue(database, {
        kind: 'verify_email',
        userId: limited.userId,
        email: limited.email,
        now: time.now,
      });
    await deliverDue();
    const found = await states(limited.email);
    assert.deepEqual(
      found.filter(([state]: string[]) => state === 'dropped'),
      [['dropped', 'limit']],
    );
  });

  test('messages to addresses without an account leave nothing, others at most 100 in a state, until 30 days or the erasure of the user', async () => {
    const unknown = `nobody-${newId()}@example.com`;
    await enqueue(database, { kind: 'reset_password', userId: null, email: unknown, now: time.now });
    await deliverDue();
    assert.deepEqual(await list(`recipient=${unknown}`), []);
    const flooded = await queue();
    for (let count = 0; count < 105; count++)
      await enqueue(database, { kind: 'reset_password', userId: null, email: flooded.email, now: time.now });
    await deliverDue();
    const [stored] = await database.all(STORED, flooded.email);
    assert.equal(
      stored!.rows,
      104,
      '100 over the limit, 3 links to reset the password and the first message',
    );
    await eraseUser({ database, clock, maxErasureWaitMs: null }, flooded.userId);
    assert.equal((await database.get(STORED, flooded.email))!.rows, 0);
    const old = await queue();
    await deliverDue();
    const settings = { current: { unclaimedUsersDays: 90, eventsDays: 180 } };
    await keepHouse(database, { clock: () => time.now + 30 * DAY + 1, settings });
    assert.equal((await get(`/${old.id}`)).status, 404);
  });

  if (engine === 'postgres') return;

  test('a message that the mail server rejects fails with the codes of the response, and is retried with all attempts and with an event', async () => {
    const { id, userId } = await queue({}, 'gone');
    await deliverDue();
    const { state, reason, attempts, last_error } = (await get(`/${id}`)).body.data;
    assert.deepEqual([state, reason, attempts], ['failed', 'rejected', 1]);
    assert.equal(last_error, 'RCPT TO 550 5.1.1');
    time.now += HOUR;
    const retried = await post(`/${id}/retry`);
    assert.deepEqual(
      [retried.status, retried.body.data.state, retried.body.data.attempts],
      [202, 'waiting', 0],
    );
    await deliverDue();
    assert.equal((await get(`/${id}`)).body.data.state, 'failed');
    const [event] = await service.database.all(EVENTS, `user:${userId}`);
    assert.equal(event!.type, 'mail.retried');
    assert.deepEqual(JSON.parse(event!.data).details, { mail_id: id, kind: 'verify_email' });
  });

  test('a message that waits is sent at once by a retry, or is cancelled with an event, and can then be queued again', async () => {
    const { id, userId, email } = await queue();
    const other = await startSmtpServer();
    await other.close();
    const down = startTestDelivery(database, other, { clock });
    await down.delivery.deliverDue();
    await down.delivery.close();
    const waiting = (await get(`/${id}`)).body.data;
    assert.deepEqual([waiting.attempts, waiting.next_attempt_at], [1, formatTimestamp(time.now + MINUTE)]);
    assert.match(waiting.last_error, /ECONNREFUSED/);
    assert.equal((await post(`/${id}/retry`)).body.data.next_attempt_at, formatTimestamp(time.now));
    const cancelled = await post(`/${id}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.data.state], [200, 'cancelled']);
    await deliverDue();
    assert.deepEqual(await states(email), [['cancelled', null]]);
    // As it would be sent again.
    assert.match((await get(`/${id}`)).body.data.text, /\/account\/verify-email\/••••$/m);
    assert.ok(!smtp.received.some(({ recipients }) => recipients.includes(email)));
    assert.equal((await post(`/${id}/retry`)).status, 202);
    await deliverDue();
    assert.deepEqual(await states(email), [['sent', null]]);
    const types = (await database.all(EVENTS, `user:${userId}`)).map(({ type }) => type);
    assert.deepEqual(types, ['mail.retried', 'mail.cancelled', 'mail.retried']);
  });

  test('a message that is being sent or was sent is neither cancelled nor sent again', async () => {
    const { id, userId } = await queue();
    const [job] = await database.all(LEASED, userId);
    await database.transaction((tx) => leaseJob(tx, job!, time.now + MINUTE));
    assert.equal((await list('state=sending')).at(0).id, id);
    const code = async (path: string) => {
      const { status, body } = await post(path);
      return [status, body.code ?? body.data.state];
    };
    assert.deepEqual(await code(`/${id}/cancel`), [409, 'mail_state_conflict']);
    assert.deepEqual(await code(`/${id}/retry`), [202, 'sending']);
    time.now += MINUTE;
    await deliverDue();
    for (const act of ['retry', 'cancel'])
      assert.deepEqual(await code(`/${id}/${act}`), [409, 'mail_state_conflict']);
  });
});

describeOnSqlite('messages that are logged', (engine) => {
  test('a message that is logged has its text and link for a day, encrypted, and for owners only', async (context) => {
    const time = { offset: 0 };
    const clock = () => Date.now() + time.offset;
    const logging = await openService(context, engine, { clock, environment: { MAIL_TO_LOG: 'true' } });
    const { email } = await register(logging);
    const find = async () => (await logging.api.get(`${PATH}?recipient=${email}`, { token })).body.data[0];
    await until(async () => (await find()).state === 'sent', 'the message is logged');
    const read = async () => (await logging.api.get(`${PATH}/${(await find()).id}`, { token })).body.data;
    const { text, link } = await read();
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/account\/verify-email\/\w{43}$/);
    assert.ok(text.includes(link.replace(/\w{43}$/, '••••')) && !text.includes(link));
    const { secret } = await createCredential(logging, ['users:read', 'users:write', 'links:send']);
    // As it would be sent: without PUBLIC_URL, only messages that are logged have a whole link.
    const preview = text.replace(/http:\/\/127\.0\.0\.1:\d+/, '');
    const other = await logging.api.get(`${PATH}/${(await find()).id}`, { token: secret });
    assert.deepEqual([other.status, other.body.data.text, other.body.data.link], [200, preview, null]);
    const { database } = logging;
    await keepHouse(database, { clock: () => clock() + DAY + MINUTE });
    assert.equal((await database.get(TEXTS))!.rows, 0);
    assert.deepEqual([(await read()).text, (await read()).link], [preview, null]);
  });
});
