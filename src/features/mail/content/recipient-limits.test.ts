import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { enqueue, startTestDelivery } from '../../../../test/support/mail.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../../test/support/service.ts';
import { rejection, startSmtpServer, type TestSmtpServer } from '../../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts';
import { deleteUser } from '../../users/records/queries.ts';
import { readDropped } from '../messages/end-message.ts';
import { MAIL_KINDS, type MailKind, NOTICE_KINDS } from '../queries.ts';
import { type CountedKind, isOverLimit, recentSends, type Send } from './recipient-limits.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const QUEUED = sql<{ id: string }>('select id from jobs');
const RECIPIENTS = sql<{ recipient: string; sends: string }>('select recipient, sends from mail_recipients');
const CLEAR = [sql('delete from jobs'), sql('delete from mail_recipients')];

describeOnEachEngine('limits of mail recipients', (engine) => {
  const service = useService(engine);
  let smtp: TestSmtpServer;
  let now = NOW;
  let isGreylisting = false;
  const database = () => service.database;
  const startNode = () => startTestDelivery(database(), smtp, { clock: () => now }).delivery;
  let delivery: ReturnType<typeof startNode>;

  beforeEach(async () => {
    now = NOW;
    isGreylisting = false;
    await database().transaction(async (tx) => {
      for (const statement of CLEAR) await tx.run(statement);
    });
    smtp = await startSmtpServer({ onRecipient: () => (isGreylisting ? rejection(450, 'later') : null) });
    delivery = startNode();
  });
  afterEach(async () => {
    await delivery.close();
    await smtp.close();
  });

  const newUser = (changes = {}) => insertTestUser(database(), { passwordHash: 'a hash', ...changes });
  const queue = (kind: MailKind, userId: string | null, email: string) =>
    enqueue(database(), { kind, userId, email, now });
  /** Delivers what is due, and returns how many messages the server has received since the last call. */
  async function received(): Promise<number> {
    smtp.received.length = 0;
    await delivery.deliverDue();
    return smtp.received.length;
  }

  test('mail limits hold over accounts that are erased and registered again with one email', async () => {
    const { email } = newUserData();
    const before = await readDropped(database());
    let count = 0;
    for (let round = 0; round < 12; round++) {
      const { id } = await newUser({ email });
      await queue('verify_email', id, email);
      count += await received();
      await database().transaction((tx) => deleteUser(tx, id));
    }
    assert.equal(count, 3);
    assert.equal((await readDropped(database())) - before, 9);
    assert.deepEqual(await database().all(QUEUED), []);
  });

  test('mail limits hold over the accounts that request a change to one address, in any case of its letters', async () => {
    const { email } = newUserData();
    for (let account = 0; account < 10; account++) {
      const { id } = await newUser();
      await queue('change_email', id, account % 2 === 0 ? email : email.toUpperCase());
    }
    assert.equal(await received(), 3);
  });

  test('mail limits hold over the nodes that send at the same time', async () => {
    const { email } = newUserData();
    for (let account = 0; account < 12; account++) {
      const { id } = await newUser();
      await queue('change_email', id, email);
    }
    const others = [startNode(), startNode(), startNode()];
    await Promise.all([delivery, ...others].map((node) => node.deliverDue()));
    for (const other of others) await other.close();
    assert.equal(smtp.received.length, 3);
    assert.deepEqual(await database().all(QUEUED), []);
  });

  test('mail limits count the attempts of one message once, and apply to messages that wait for the server', async () => {
    const { id, email } = await newUser();
    isGreylisting = true;
    await queue('password_changed', id, email!);
    for (let attempt = 0; attempt < 5; attempt++) {
      assert.equal(await received(), 0);
      now += 2 * HOUR;
    }
    isGreylisting = false;
    assert.equal(await received(), 1);
    isGreylisting = true;
    for (let hour = 0; hour < 5; hour++) {
      for (let count = 0; count < 3; count++) await queue('password_changed', id, email!);
      await received();
      now += HOUR + MINUTE;
    }
    now += 2 * HOUR;
    isGreylisting = false;
    assert.equal(await received(), 3, 'no burst after an outage');
    assert.deepEqual(await database().all(QUEUED), []);
  });

  test('mail limits are stored by a keyed hash, in one row per recipient of bounded size', async () => {
    const { id, email } = await newUser();
    for (let hour = 0; hour < 26; hour++) {
      for (const kind of NOTICE_KINDS) await queue(kind, id, email!);
      await queue('reset_password', null, email!);
      await received();
      now += HOUR;
    }
    const [row, ...more] = await database().all(RECIPIENTS);
    assert.deepEqual(more, []);
    assert.match(row!.recipient, /^[\w-]{43}$/);
    assert.ok(!row!.sends.includes(email!) && !row!.sends.includes(id));
    assert.ok(JSON.parse(row!.sends).length <= 40);
    const oldest = Math.min(...JSON.parse(row!.sends).map(({ at }: { at: number }) => at));
    assert.ok(oldest > now - DAY - HOUR);
  });

  if (engine === 'postgres') return;

  test('messages about submissions to forms have no limit', async () => {
    for (let number = 0; number < 15; number++) await queue('form_submissions', null, 'operator@example.com');
    assert.equal(await received(), 15);
  });

  test('mail limits count codes by the network that requests them, up to thirty of an address in a day', async () => {
    const { email } = newUserData();
    const request = async (network: string) => {
      for (let count = 0; count < 4; count++) {
        const data = { code_id: newId(), network };
        await enqueue(database(), { kind: 'sign_in_code', userId: null, email, data, now });
      }
      return received();
    };
    for (const sent of [3, 3, 3, 1, 0]) {
      assert.equal(await request('of others'), sent);
      now += HOUR;
    }
    assert.equal(await request('of the owner'), 3);
    const { id } = await newUser({ email });
    await queue('verify_email', id, email);
    assert.equal(await received(), 1, 'codes leave room for other messages');
    for (const sent of [3, 3, 3, 3, 3, 2, 0]) assert.equal(await request(newId()), sent);
  });
});

const isOver = (stored: readonly Send[], kind: CountedKind, now: number, network?: string) =>
  isOverLimit(stored, { kind, network, at: now });
const sends = (count: number, kind: CountedKind, at = NOW): Send[] =>
  Array.from({ length: count }, (_, number) => ({ id: `${kind}-${number}`, kind, at }));

describe('limits of a mail recipient', () => {
  test('recipient limits admit three messages of a kind in an hour and ten in a day', () => {
    for (const kind of [...MAIL_KINDS, 'administrator'] as const) {
      assert.equal(isOver(sends(2, kind), kind, NOW), false, kind);
      assert.equal(isOver(sends(3, kind), kind, NOW), true, kind);
      assert.equal(isOver(sends(3, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOver(sends(9, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOver(sends(10, kind), kind, NOW + DAY - 1), true, kind);
      assert.equal(isOver(sends(10, kind), kind, NOW + DAY), false, kind);
    }
  });

  test('recipient limits admit six messages of several kinds in an hour and twenty in a day', () => {
    const mixed = [...sends(3, 'verify_email'), ...sends(2, 'new_network')];
    assert.equal(isOver(mixed, 'password_changed', NOW), false);
    assert.equal(isOver([...mixed, ...sends(1, 'change_email')], 'password_changed', NOW), true);
    const day = [...sends(10, 'verify_email'), ...sends(9, 'new_network')];
    assert.equal(isOver(day, 'password_changed', NOW + HOUR), false);
    assert.equal(isOver([...day, ...sends(1, 'change_email')], 'password_changed', NOW + HOUR), true);
  });

  test('recipient limits leave room for resets, and for links of the administrator, whatever else was sent', () => {
    const others = MAIL_KINDS.filter((kind) => kind !== 'reset_password').flatMap((kind) => sends(10, kind));
    assert.equal(isOver(others, 'reset_password', NOW), false);
    assert.equal(isOver([...others, ...sends(10, 'reset_password')], 'administrator', NOW), false);
    assert.equal(isOver(sends(10, 'reset_password'), 'password_changed', NOW), false);
  });

  test('recipient limits count codes by the network that requests them, of which three cannot use up those of a fourth', () => {
    const from = (network: string, count: number, at = NOW) =>
      sends(count, 'sign_in_code', at).map((send) => ({ ...send, network }));
    const others = MAIL_KINDS.filter((kind) => kind !== 'sign_in_code').flatMap((kind) => sends(10, kind));
    const isOverFor = (network: string, stored: readonly Send[], now = NOW) =>
      isOver([...stored, ...others], 'sign_in_code', now, network);
    assert.equal(isOverFor('own', from('other', 10)), false);
    assert.equal(isOverFor('other', from('other', 3)), true);
    assert.equal(isOverFor('other', from('other', 9), NOW + HOUR), false);
    assert.equal(isOverFor('other', from('other', 10), NOW + HOUR), true);
    const many = [...from('a', 10), ...from('b', 10), ...from('c', 9)];
    assert.equal(isOverFor('own', many), false);
    assert.equal(isOverFor('own', [...many, ...from('c', 1)]), true);
    assert.equal(isOver(many, 'password_changed', NOW), false, 'codes leave room for other messages');
  });

  test('recipient limits ignore sends after a day, and those of a clock that was ahead', () => {
    const times = [NOW - DAY, NOW - DAY + 1, NOW, NOW + MINUTE, NOW + MINUTE + 1];
    const kept = recentSends(
      times.flatMap((at) => sends(1, 'new_network', at)),
      NOW,
    );
    assert.deepEqual(pluck(kept, 'at'), [NOW - DAY + 1, NOW, NOW + MINUTE]);
  });
});
