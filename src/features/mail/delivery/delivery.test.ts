import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BASE_URL,
  createTestPrepareMail,
  type DeliveryOptions,
  enqueue,
  startTestDelivery,
} from '../../../../test/support/mail.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import {
  type Handlers,
  rejection,
  startSmtpServer,
  type TestSmtpServer,
} from '../../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { type Database, DatabaseUnavailable, sql } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { POLL_MS } from '../../jobs/job-worker.ts';
import { leaseJob } from '../../jobs/queries.ts';
import { lockUser } from '../../users/records/queries.ts';
import { findLink } from '../links/links.ts';
import { deleteMailTo, findDueMail, type MailRow } from '../queries.ts';
import { retryWaitingMail } from './retry-waiting-mail.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ROWS = sql<MailRow & { next_attempt_at: number; last_error: string | null }>(
  'select * from jobs order by id',
);
const LINKS = sql<{ email: string }>('select email from account_links');
const CLEAR = [sql('delete from jobs'), sql('delete from account_links')];

const parseToken = (text = '') => /\/account\/[\w-]+\/([0-9A-Za-z]{43})\b/.exec(text)?.[1] ?? '';

describeStorage('mail delivery', (engine) => {
  const service = useService(engine);

  interface Setup {
    readonly handlers?: Handlers;
    readonly options?: Partial<DeliveryOptions>;
    readonly server?: Parameters<typeof startSmtpServer>[1];
  }

  /** Starts a server and a worker on an empty queue, and stops them after the test. */
  async function start(context: { after(clean: () => Promise<void>): void }, setup: Setup = {}) {
    const { database } = service;
    await database.transaction(async (tx) => {
      for (const statement of CLEAR) await tx.run(statement);
    });
    const time = { now: NOW };
    const smtp = await startSmtpServer(setup.handlers, setup.server);
    const { delivery, log } = startTestDelivery(database, smtp, { clock: () => time.now, ...setup.options });
    context.after(async () => {
      await delivery.close();
      await smtp.close();
    });
    return { database, smtp, delivery, log, time };
  }

  /** Queues a request to verify the address of a new user. */
  async function enqueueForNewUser(database: Database, name = 'Ada') {
    const user = await insertTestUser(database, { name });
    const email = user.email ?? '';
    await enqueue(database, { kind: 'verify_email', userId: user.id, email, now: NOW });
    return { ...user, email };
  }

  test('mail delivery sends each of many messages exactly once when several nodes share the queue', async (context) => {
    const { database, smtp, delivery, time } = await start(context);
    const others = Array.from({ length: 3 }, () =>
      startTestDelivery(database, smtp, { clock: () => time.now }),
    );
    context.after(async () => {
      for (const { delivery: other } of others) await other.close();
    });
    const expected = new Set<string>();
    for (let count = 0; count < 40; count++) expected.add((await enqueueForNewUser(database)).email);
    await Promise.all([delivery, ...others.map((other) => other.delivery)].map((node) => node.deliverDue()));
    assert.equal(smtp.received.length, 40);
    assert.deepEqual(new Set(smtp.received.flatMap(({ recipients }) => recipients)), expected);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('mail delivery sends a message of a crashed node after its lease, and no operator makes that earlier', async (context) => {
    const { database, smtp, delivery, time } = await start(context);
    await enqueueForNewUser(database);
    const [row] = await findDueMail(database, NOW, 1);
    await database.transaction((tx) => leaseJob(tx, row!, NOW + 5 * MINUTE));
    time.now += 5 * MINUTE - 1;
    assert.equal(await retryWaitingMail(database, () => time.now), 0);
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 0);
    time.now += 1;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 1);
  });

  test('mail delivery does not repeat a message whose row cannot be deleted, and deletes it later', async (context) => {
    const { database, smtp, time } = await start(context);
    let isAway = false;
    const faulty: Database = {
      ...database,
      transaction: (work) =>
        isAway ? Promise.reject(new DatabaseUnavailable('away')) : database.transaction(work),
    };
    const prepare = createTestPrepareMail();
    const { delivery } = startTestDelivery(faulty, smtp, {
      clock: () => time.now,
      prepare: async (tx, mail, now) => {
        const prepared = await prepare(tx, mail, now);
        if (prepared === null || prepared === 'over_limit') return prepared;
        const compose = () => {
          isAway = true;
          return prepared.compose();
        };
        return { ...prepared, compose };
      },
    });
    context.after(() => delivery.close());
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.deepEqual([smtp.received.length, (await database.all(ROWS)).length], [1, 1]);
    time.now += HOUR;
    isAway = false;
    await delivery.deliverDue();
    assert.deepEqual([smtp.received.length, (await database.all(ROWS)).length], [1, 0]);
  });

  if (engine === 'postgres') {
    test('mail delivery does not deadlock with a change of the user that deletes messages to them', async (context) => {
      let preparations = 0;
      const preparing = Promise.withResolvers<void>();
      const prepare = createTestPrepareMail();
      const { database, smtp, delivery } = await start(context, {
        options: {
          prepare: (tx, mail, now) => {
            preparations++;
            preparing.resolve();
            return prepare(tx, mail, now);
          },
        },
      });
      const { id, email } = await enqueueForNewUser(database);
      let changes = 0;
      let delivering: Promise<void> | undefined;
      await database.transaction(async (tx) => {
        changes++;
        await lockUser(tx, id);
        delivering ??= delivery.deliverDue();
        await preparing.promise;
        await deleteMailTo(tx, normalizeEmail(email), 1);
      });
      await delivering;
      assert.deepEqual([changes, preparations], [1, 1], 'neither transaction was repeated');
      assert.deepEqual(smtp.received, []);
      assert.deepEqual(await database.all(LINKS), []);
    });
  }

  test('mail delivery does not drop a message that another node is sending', async (context) => {
    const { database, delivery, smtp } = await start(context, {
      options: {
        prepare: async (tx, mail) => {
          await leaseJob(tx, mail, NOW + MINUTE);
          return null;
        },
      },
    });
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.deepEqual([(await database.all(ROWS)).length, smtp.received.length], [1, 0]);
  });

  test('mail delivery finishes messages in progress when it is closed, and starts no others', async (context) => {
    const reached = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const onMessage: Handlers['onMessage'] = async () => {
      reached.resolve();
      await proceed.promise;
      return null;
    };
    const { database, smtp, delivery } = await start(context, { handlers: { onMessage } });
    await enqueueForNewUser(database);
    const delivering = delivery.deliverDue();
    await reached.promise;
    const closing = delivery.close();
    await enqueueForNewUser(database);
    proceed.resolve();
    await closing;
    await delivering;
    assert.equal(smtp.received.length, 1);
    assert.equal((await database.all(ROWS)).length, 1);
  });

  if (engine === 'postgres') return;

  test('mail delivery sends plain text and HTML in UTF-8 with a valid link, once', async (context) => {
    const { database, smtp, delivery } = await start(context);
    const user = await enqueueForNewUser(database, 'Zoë Żółw & Söhne');
    const [row] = await database.all(ROWS);
    await delivery.deliverDue();
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 1);
    const mail = smtp.received[0]!;
    assert.deepEqual(mail.recipients, [user.email]);
    assert.deepEqual(mail.to, [{ name: '', address: user.email }]);
    assert.deepEqual(mail.from, { name: 'Example', address: 'accounts@example.org' });
    assert.equal(mail.subject, 'Confirm your email address for Example');
    assert.equal(mail.messageId, `<${row!.id}@example.org>`);
    assert.match(mail.source, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(mail.source, /^Content-Language: en\r$/m);
    const token = parseToken(mail.text);
    assert.match(mail.text!, /^Hello Zoë Żółw & Söhne,$/m);
    assert.match(mail.html!, /<p>Hello Zoë Żółw &amp; Söhne,<\/p>/);
    const link = `${BASE_URL}/account/verify-email/${token}`;
    assert.ok(mail.html!.includes(`<a class="button" href="${link}">`));
    assert.ok(mail.html!.includes(`>${link}</a>`), 'the link is visible as text');
    assert.doesNotMatch(mail.html!, /<img|\bsrc=|url\(|<link|<script/i);
    const found = await findLink(database, { token, kinds: ['verify_email'], now: NOW });
    assert.deepEqual(found, { kind: 'verify_email', user_id: user.id, email: user.email });
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('mail delivery retries after 1, 2 and 4 minutes while the server is down, and delivers when it is back', async (context) => {
    const { database, smtp, delivery, log, time } = await start(context);
    await enqueueForNewUser(database);
    await smtp.close();
    let due = NOW;
    for (const [index, minutes] of [1, 2, 4].entries()) {
      time.now = due - 1;
      await delivery.deliverDue();
      time.now = due;
      await delivery.deliverDue();
      due += minutes * MINUTE;
      const [row] = await database.all(ROWS);
      assert.deepEqual([row?.attempts, row?.next_attempt_at], [index + 1, due]);
    }
    assert.deepEqual(await database.all(LINKS), [], 'links that nobody has received are withdrawn');
    assert.match(JSON.stringify(log), /ECONNREFUSED/);
    const back = await startSmtpServer({}, { port: smtp.port });
    context.after(() => back.close());
    time.now = due;
    await delivery.deliverDue();
    assert.equal(back.received.length, 1);
    assert.deepEqual(await database.all(ROWS), []);
  });

  test('mail delivery spends attempts of few messages on a server that is down, and sends the others afterwards', async (context) => {
    const { database, smtp, delivery, time } = await start(context);
    for (let count = 0; count < 20; count++) await enqueueForNewUser(database);
    await smtp.close();
    await delivery.deliverDue();
    const tried = (await database.all(ROWS)).filter(({ attempts }) => attempts > 0).length;
    assert.ok(tried >= 1 && tried <= 5, String(tried));
    const back = await startSmtpServer({}, { port: smtp.port });
    context.after(() => back.close());
    time.now += 10_000;
    await delivery.deliverDue();
    assert.equal(back.received.length, 20 - tried);
  });

  test('mail delivery sends a temporarily rejected message again, with the same id and a new link', async (context) => {
    const ids: string[] = [];
    const onMessage: Handlers['onMessage'] = ({ messageId = '' }) => {
      ids.push(messageId);
      return ids.length === 1 ? rejection(451, '4.3.0 try again') : null;
    };
    const { database, smtp, delivery, time } = await start(context, { handlers: { onMessage } });
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 0);
    time.now += MINUTE;
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 1);
    assert.equal(ids[0], ids[1]);
    assert.equal((await database.all(LINKS)).length, 1);
    await findLink(database, {
      token: parseToken(smtp.received[0]!.text),
      kinds: ['verify_email'],
      now: time.now,
    });
  });

  test('mail delivery sends other messages while the server temporarily rejects one recipient', async (context) => {
    const rejected = new Set<string>();
    const onRecipient = (address: string) => (rejected.has(address) ? rejection(450, 'greylisted') : null);
    const { database, smtp, delivery } = await start(context, { handlers: { onRecipient } });
    rejected.add((await enqueueForNewUser(database)).email);
    for (let count = 0; count < 8; count++) await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 8);
    assert.equal((await database.all(ROWS)).length, 1);
  });

  test('mail delivery leaves the link valid when the connection is lost after the message, which is then sent again', async (context) => {
    const seen: string[] = [];
    let smtp: TestSmtpServer | undefined;
    const onMessage: Handlers['onMessage'] = async ({ text, messageId = '' }) => {
      seen.push(messageId, parseToken(text));
      if (seen.length === 2) smtp?.disconnectAll();
      return null;
    };
    const started = await start(context, { handlers: { onMessage } });
    smtp = started.smtp;
    const { database, delivery, time } = started;
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.equal((await database.all(ROWS)).length, 1);
    time.now += MINUTE;
    await delivery.deliverDue();
    const [firstId, firstToken = '', secondId, secondToken = ''] = seen;
    assert.equal(firstId, secondId);
    assert.notEqual(firstToken, secondToken);
    for (const token of [firstToken, secondToken])
      await findLink(database, { token, kinds: ['verify_email'], now: time.now });
  });

  test('mail delivery starts by itself within a second, and continues as soon as a message was sent', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const { database, smtp } = await start(context, { options: { pollMs: POLL_MS } });
    for (let count = 0; count < 12; count++) await enqueueForNewUser(database);
    assert.equal(smtp.attempts, 0);
    context.mock.timers.tick(1_000);
    await smtp.waitFor(12);
  });

  test('mail delivery postpones a message that cannot be prepared or composed, and delivers the others', async (context) => {
    const prepare = createTestPrepareMail();
    const { database, smtp, delivery, log, time } = await start(context, {
      options: {
        prepare: (tx, mail, now) => {
          if (mail.data.includes('unprepared')) throw new Error('a fault');
          return prepare(tx, mail, now);
        },
      },
    });
    const user = await insertTestUser(database);
    const queue = (data: string) =>
      database.transaction(async (tx) => {
        const insert = sql(`insert into jobs
          (id, kind, user_id, email, email_key, data, attempts, next_attempt_at, created_at, expires_at,
           queue, priority, origin)
          values ($1, 'new_network', $2, 'a@b.example', 'a@b.example', $1, 0, $3, $3, $4, 'mail', 0, 'user')`);
        await tx.run(insert, data, user.id, NOW, NOW + HOUR);
      });
    await queue('unprepared');
    await queue('no JSON, so not composed');
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 1);
    const rows = await database.all(ROWS);
    assert.deepEqual(
      rows.map(({ attempts, next_attempt_at, last_error }) => [attempts, next_attempt_at, last_error]),
      [
        [1, NOW + MINUTE, 'cannot be composed'],
        [1, NOW + MINUTE, 'cannot be composed'],
      ],
    );
    assert.equal(log.filter(({ msg }) => msg === 'mail cannot be composed').length, 2);
    time.now += HOUR;
    await delivery.deliverDue();
    assert.deepEqual(await database.all(ROWS), [], 'both have expired');
    assert.equal(log.filter(({ msg }) => msg === 'mail has expired before it could be sent').length, 2);
  });

  test('mail delivery names the language of the text in a header: that of the recipient, or the fallback', async (context) => {
    const { database, smtp, delivery } = await start(context);
    for (const language of ['de', 'tlh']) {
      const { id, email } = await insertTestUser(database);
      const data = { language };
      await enqueue(database, { kind: 'verify_email', userId: id, email: email!, data, now: NOW });
    }
    await delivery.deliverDue();
    const languages = smtp.received.map(({ source }) => /^Content-Language: (.*)\r$/m.exec(source)?.[1]);
    assert.deepEqual(languages.sort(), ['de', 'en']);
  });

  test('mail delivery lets no name add a header, a recipient or markup', async (context) => {
    const { database, smtp, delivery } = await start(context);
    const user = await enqueueForNewUser(database, '<b>"\r\nBcc: x@example.com\r\n\r\n<script>');
    await delivery.deliverDue();
    const mail = smtp.received[0]!;
    assert.deepEqual(mail.recipients, [user.email]);
    assert.doesNotMatch(mail.source, /^Bcc:|x@example\.com|<b>|<script>/im);
    assert.match(mail.text!, /^Hello,$/m);
  });

  test('mail delivery sends nothing without TLS to a server that does not offer it if it is required', async (context) => {
    const { database, smtp, delivery } = await start(context, { options: { startTls: 'required' } });
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.deepEqual([smtp.received, smtp.attempts], [[], 0]);
    assert.equal((await database.all(ROWS)).length, 1);
  });

  test('mail delivery keeps messages while the server rejects the login, and logs no password', async (context) => {
    const pass = 'the-password-of-the-account';
    const { database, smtp, delivery, log, time } = await start(context, {
      server: {
        authOptional: false,
        onAuth: ({ password }, _session, callback) =>
          password === pass ? callback(rejection(535, '5.7.8 wrong')) : callback(null, { user: 1 }),
      },
      options: { credentials: { user: 'us@er', pass } },
    });
    await enqueueForNewUser(database);
    await delivery.deliverDue();
    time.now += HOUR;
    await delivery.deliverDue();
    const [row] = await database.all(ROWS);
    assert.equal(row?.attempts, 2);
    assert.equal(smtp.received.length, 0);
    assert.match(JSON.stringify(log), /AUTH PLAIN 535/);
    assert.ok(!JSON.stringify(log).includes(pass));
  });

  test('mail delivery sends at most five messages at once', async (context) => {
    let [current, most] = [0, 0];
    const onMessage: Handlers['onMessage'] = async () => {
      current++;
      most = Math.max(most, current);
      await new Promise((resolve) => setImmediate(resolve));
      current--;
      return null;
    };
    const { database, smtp, delivery } = await start(context, { handlers: { onMessage } });
    for (let count = 0; count < 30; count++) await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.equal(smtp.received.length, 30);
    assert.ok(most <= 5, String(most));
  });

  test('mail delivery aborts messages that are in progress some time after it is closed, and keeps them for a retry', async (context) => {
    const reached = Promise.withResolvers<void>();
    const onMessage: Handlers['onMessage'] = () => {
      reached.resolve();
      return new Promise(() => {});
    };
    const { database, delivery } = await start(context, {
      handlers: { onMessage },
      options: { stopDeadlineMs: 1 },
    });
    await enqueueForNewUser(database);
    const delivering = delivery.deliverDue();
    await reached.promise;
    await delivery.close();
    await delivering;
    const [row] = await database.all(ROWS);
    assert.deepEqual([row?.attempts, row?.next_attempt_at], [1, NOW]);
    assert.equal((await database.all(LINKS)).length, 1, 'the server may have accepted the message');
  });

  test('mail delivery drops a message whose recipient is permanently rejected, with a log line without the address', async (context) => {
    const onRecipient = (address: string) => rejection(550, `5.1.1 <${address}> unknown`);
    const { database, delivery, log } = await start(context, { handlers: { onRecipient } });
    const { id, email } = await enqueueForNewUser(database);
    await delivery.deliverDue();
    assert.deepEqual(await database.all(ROWS), []);
    assert.deepEqual(await database.all(LINKS), []);
    const [line] = log;
    assert.deepEqual([line?.user_id, line?.mail, line?.level], [id, 'verify_email', 40]);
    assert.match(String(line?.reason), /^RCPT TO 550 5\.1\.1$/);
    assert.ok(!JSON.stringify(log).includes(email));
  });
});
