import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { enqueue, startTestDelivery } from '../../../../test/support/mail.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../../test/support/service.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { getActionContext, runInContext } from '../../../callers/action-context.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { deleteUser } from '../../users/records/queries.ts';
import type { startMailDelivery } from '../delivery/delivery.ts';
import type { NewMail } from '../enqueue-mail.ts';
import { createLink, findLink } from '../links/links.ts';
import type { LinkKind } from '../links/queries.ts';
import { MAIL_KINDS, type MailKind } from '../queries.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const QUEUED = sql<{ id: string }>('select id from jobs');
const SET_KILLED = sql('update jobs set attempts = 1');
const SET_EMAIL = sql('update users set email = $2, email_key = $2 where id = $1');
const SET_STATE = sql('update users set state = $2 where id = $1');
const SET_ZONE = sql('update users set zoneinfo = $2 where id = $1');
const SET_ROLE = sql('update users set role = $2 where id = $1');
const SET_VERIFIED = sql('update users set email_verified_at = 1 where id = $1');

describeOnSqlite('the content of mail', (engine) => {
  const service = useService(engine);
  let smtp: TestSmtpServer;
  let delivery: ReturnType<typeof startMailDelivery>;
  let now = NOW;
  const database = () => service.database;

  beforeEach(async () => {
    now = NOW;
    smtp = await startSmtpServer();
    delivery = startTestDelivery(database(), smtp, { clock: () => now }).delivery;
  });
  afterEach(async () => {
    await delivery.close();
    await smtp.close();
  });

  const active = (changes = {}) => insertTestUser(database(), { passwordHash: 'a hash', ...changes });
  const unclaimed = (changes = {}) => insertTestUser(database(), { state: 'unclaimed', ...changes });
  const queue = (
    kind: MailKind,
    user: { id: string | null; email: string | null },
    more: Partial<NewMail> = {},
  ) => enqueue(database(), { kind, userId: user.id, email: user.email ?? '', now, ...more });
  /** Queues a request as anybody can send it. */
  const requestReset = (email: string | null) => queue('reset_password', { id: null, email });

  /** Delivers everything; returns the address and the kind of the link of each message, by address. */
  async function delivered(): Promise<[string, string | null][]> {
    smtp.received.length = 0;
    await delivery.deliverDue();
    assert.deepEqual(await database().all(QUEUED), [], 'a message is sent or dropped');
    return smtp.received
      .map(({ recipients, text = '' }): [string, string | null] => {
        const path = /https:\/\/id\.example\.org\/account\/([\w-]+)\//.exec(text)?.[1] ?? null;
        return [recipients.join(), path];
      })
      .sort();
  }

  test('mail has a reset link for an active account, and a claim link for one that the administrator has created', async () => {
    const [known, created] = [await active(), await unclaimed()];
    await requestReset(known.email);
    await requestReset(created.email);
    assert.deepEqual(
      await delivered(),
      [
        [known.email, 'reset-password'],
        [created.email, 'claim'],
      ].sort(),
    );
  });

  test('a form that is sent twice within ten seconds sends one link, and requests of a program two', async () => {
    const [user, other] = [await active(), await active()];
    const send = async (data: Record<string, string>, isByAdministrator = false) => {
      for (const { email } of [user, other])
        await queue('reset_password', { id: null, email }, { data, isByAdministrator });
      return (await delivered()).length;
    };
    const form = { is_form: 'true' };
    assert.equal(await send(form), 2);
    now += 9_000;
    assert.equal(await send(form), 0);
    assert.equal(await send(form, true), 2, 'by the administrator');
    assert.equal(await send({}), 2);
    now += 10_000;
    await queue('reset_password', { id: null, email: user.email }, { data: form });
    await queue('reset_password', { id: null, email: user.email }, { data: form });
    assert.deepEqual(await delivered(), [[user.email, 'reset-password']]);
  });

  test('a message of a form whose attempt was killed after it had created the link is sent by the next attempt', async () => {
    const { id, email } = await active();
    await database().transaction((tx) =>
      createLink(tx, { userId: id, kind: 'reset_password', email: email!, now }),
    );
    await queue('reset_password', { id: null, email }, { data: { is_form: 'true' } });
    await database().transaction((tx) => tx.run(SET_KILLED));
    assert.equal((await delivered()).length, 1);
  });

  test('no mail is sent for a reset of an unknown, disabled or anonymously created account', async () => {
    await requestReset('nobody@example.com');
    await requestReset((await active({ state: 'disabled' })).email);
    await requestReset((await unclaimed({ ownsEmail: false })).email);
    assert.deepEqual(await delivered(), []);
  });

  test('a code to sign in is mailed to the owner of an account that is not disabled, one to sign up also to an unused address, without a link that a scanner could open', async () => {
    const users = [
      await active(),
      await unclaimed(),
      await active({ state: 'disabled' }),
      await unclaimed({ ownsEmail: false }),
    ];
    const emails = [...users.map(({ email }) => email!), newUserData().email];
    for (const [purpose, isSent] of [
      ['sign_in', [true, true, false, false, false]],
      ['sign_up', [true, true, false, true, true]],
    ] as const) {
      for (const email of emails)
        await queue('sign_in_code', { id: null, email }, { data: { code_id: email, network: 'n', purpose } });
      const expected = emails.filter((_, index) => isSent[index]).map((email) => [email, null]);
      assert.deepEqual(await delivered(), expected.sort(), purpose);
      for (const { subject, text, html } of smtp.received) {
        assert.match(subject!, /^[A-Z2-9]{4}-[A-Z2-9]{4} is your code for Example$/);
        assert.doesNotMatch(text! + html!, /https?:|href/);
      }
    }
  });

  test('mail for a reset is sent to the address of the account, not to the one that was typed', async () => {
    const { email } = await active();
    await requestReset(` ${email!.toUpperCase()} `);
    assert.deepEqual(await delivered(), [[email, 'reset-password']]);
  });

  test('mail has a link of the right kind for each message that needs one, and a notice has none', async () => {
    const links: [MailKind, LinkKind][] = [
      ['verify_email', 'verify_email'],
      ['change_email', 'change_email'],
      ['reset_password', 'reset_password'],
      ['claim_account', 'claim_account'],
    ];
    for (const [kind, linkKind] of links) {
      const user = kind === 'claim_account' ? await unclaimed() : await active();
      const email = kind === 'change_email' ? newUserData().email : user.email;
      await queue(kind, { id: user.id, email });
      await delivered();
      const [mail] = smtp.received;
      assert.deepEqual(mail?.recipients, [email]);
      const token = /\/([0-9A-Za-z]{43})$/m.exec(mail?.text ?? '')?.[1] ?? '';
      const link = await findLink(database(), { token, kinds: [linkKind], now });
      assert.deepEqual(link, { kind: linkKind, user_id: user.id, email });
    }
    for (const kind of MAIL_KINDS.filter((each) => links.every(([other]) => other !== each))) {
      const { id } = await active();
      await queue(kind, { id, email: `old-${id}@example.com` });
      assert.deepEqual(await delivered(), [[`old-${id}@example.com`, null]], kind);
    }
  });

  test('the message to a new administrator is an invitation that leads to the console, also by the link that an owner sends again', async () => {
    const { id, email } = await unclaimed();
    await queue('claim_account', { id, email });
    await delivered();
    assert.match(smtp.received[0]!.text ?? '', /An account was created for you at Example\./);
    await database().transaction((tx) => tx.run(SET_ROLE, id, 'support'));
    await queue('claim_account', { id, email });
    await delivered();
    const { text = '' } = smtp.received.at(-1)!;
    assert.match(text, /You were invited to help to administer Example\./);
    assert.match(text, /\/account\/claim\/\w{43}\?return_to=%2Fconsole$/m);
  });

  test('a link has the way and the language of the request that has caused its message', async () => {
    const user = await active();
    const way = { redirectTo: 'https://shop.example.com/', returnTo: '/oauth/authorize?state=x' };
    await runInContext({ ...getActionContext(), language: 'de' }, () => queue('reset_password', user, way));
    await delivered();
    const { search } = new URL(/https:\S+/.exec(smtp.received[0]!.text ?? '')![0]);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(search)), {
      ...{ redirect_to: way.redirectTo, return_to: way.returnTo, lang: 'de' },
    });
    assert.match(smtp.received[0]!.text ?? '', /Der Link ist/);
  });

  test('a notice has a subject, the time and the masked new address, and no name that a user has chosen', async () => {
    const user = await active({ name: 'Ada' });
    await queue('email_changed', user, { data: { new_email: 'www.prize.example/claim@win.prize.example' } });
    await delivered();
    const { subject, text, html } = smtp.received[0]!;
    assert.equal(subject, 'The email address of your account at Example was changed');
    for (const body of [text, html]) {
      assert.match(body!, /changed on 21 Nov 2026, 12:00 UTC, to w…@w…\.p…\.example\. /);
      assert.doesNotMatch(body!, /prize|claim|Ada/);
    }
  });

  test('a notice has the time in the zone of the user', async () => {
    const user = await active();
    await database().transaction((tx) => tx.run(SET_ZONE, user.id, 'Asia/Tokyo'));
    await queue('email_changed', user, { data: { new_email: 'a@example.com' } });
    await delivered();
    assert.match(smtp.received[0]!.text ?? '', /on 21 Nov 2026, 21:00 \(Asia\/Tokyo\)/);
  });

  test('mail is not sent to an erased user', async () => {
    const user = await active();
    for (const kind of MAIL_KINDS) await queue(kind, user);
    await requestReset(user.email);
    await database().transaction((tx) => deleteUser(tx, user.id));
    assert.deepEqual(await delivered(), []);
  });

  test('mail is not sent once the address is verified or changed, or the account claimed or disabled', async () => {
    const run = async (
      kind: MailKind,
      user: { id: string; email: string | null },
      change: typeof SET_STATE,
      ...values: string[]
    ) => {
      await queue(kind, user);
      await database().transaction((tx) => tx.run(change, user.id, ...values));
      assert.deepEqual(await delivered(), [], `${kind}: ${change.text}`);
    };
    await run('verify_email', await active(), SET_VERIFIED);
    await run('verify_email', await active(), SET_EMAIL, newUserData().email);
    await run('verify_email', await active(), SET_STATE, 'disabled');
    await run('claim_account', await unclaimed(), SET_STATE, 'active');
    await run('claim_account', await unclaimed(), SET_STATE, 'disabled');
    await run('reset_password', await active(), SET_EMAIL, newUserData().email);
    await run('change_email', await active(), SET_STATE, 'disabled');
    const other = await active();
    await queue('reset_password', { id: (await active()).id, email: other.email });
    assert.deepEqual(await delivered(), [], 'the address belongs to another user');
  });

  test('mail is not sent to the new address of a change if it is taken, in any case', async () => {
    const [{ id }, owner] = [await active(), await active()];
    await queue('change_email', { id, email: owner.email });
    await queue('change_email', { id, email: owner.email!.toUpperCase() });
    assert.deepEqual(await delivered(), []);
    const anonymous = await unclaimed({ ownsEmail: false });
    await queue('change_email', { id, email: anonymous.email });
    assert.deepEqual(await delivered(), [[anonymous.email, 'change-email']]);
  });

  test('mail is sent for the latest change of an address only, and invalidates the link of an earlier one', async () => {
    const { id } = await active();
    const [first, second, third] = [newUserData().email, newUserData().email, newUserData().email];
    await queue('change_email', { id, email: first });
    assert.deepEqual(await delivered(), [[first, 'change-email']]);
    const token = /\/([0-9A-Za-z]{43})$/m.exec(smtp.received[0]!.text!)![1]!;
    now += MINUTE;
    await queue('change_email', { id, email: second });
    await queue('change_email', { id, email: third });
    assert.deepEqual(await delivered(), [[third, 'change-email']]);
    await assert.rejects(findLink(database(), { token, kinds: ['change_email'], now }), {
      code: 'link_not_found',
    });
    await queue('change_email', { id, email: second }, { now: now - MINUTE / 2 });
    assert.deepEqual(await delivered(), [], 'it was queued before the one that was sent');
  });

  test('mail has no link that a new password would have revoked', async () => {
    for (const kind of ['reset_password', 'change_email'] as const) {
      const user = await active();
      const email = kind === 'change_email' ? newUserData().email : user.email;
      await queue(kind, { id: user.id, email });
      await database().transaction((tx) =>
        recordEvent(tx, { userId: user.id, type: 'password.changed', actor: 'user', now: now + 1 }),
      );
      assert.deepEqual(await delivered(), []);
      now += MINUTE;
      await queue(kind, { id: user.id, email });
      assert.equal((await delivered()).length, 1, 'a later request is not affected');
    }
  });
});
