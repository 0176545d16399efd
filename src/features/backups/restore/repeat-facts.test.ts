import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createBackup, runBackup, SECRET_KEY, withOpened } from '../../../../test/support/backups.ts';
import { CREDENTIALS, createCredential } from '../../../../test/support/credentials.ts';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { run } from '../../../../test/support/processes/commands.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  describeOnEachEngine,
  describeOnSqlite,
} from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, openService, toEnvironment } from '../../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../../test/support/users.ts';
import { createLedgerWriter, type Fact, readLedger } from '../ledger.ts';

const environment = { SECRET_KEY };
const token = ADMIN_TOKEN;
const headers = { 'if-match': '*' };
const NAMES = ['erased', 'disabled', 'enabled', 'demoted', 'promoted', 'reset', 'merged', 'target'] as const;

describeOnEachEngine('a restore of an earlier state', (engine) => {
  for (const source of ['the ledger beside the backup', 'the database that is replaced'] as const)
    test(`cli backup restore repeats from ${source} what has ended since, names what it cannot repeat, and ends tokens`, async (context) => {
      const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
      const service = await openService(context, engine, { environment, testDatabase });
      const { database } = service;
      const entries = NAMES.map(async (name) => [name, await insertLoggedInUser(database)] as const);
      const users = Object.fromEntries(await Promise.all(entries)) as Record<
        (typeof NAMES)[number],
        Awaited<ReturnType<typeof insertLoggedInUser>>
      >;
      const path = (name: (typeof NAMES)[number]) => `/api/v1/users/${users[name].id}`;
      const patch = async (name: (typeof NAMES)[number], body: object) =>
        assert.equal((await service.api.patch(path(name), body, { token, headers })).status, 200);
      for (const name of ['demoted', 'promoted'] as const) await patch(name, { role: 'support' });
      const [kept, revoked, rotated, earlier] = await Promise.all(
        [0, 1, 2, 3].map(() => createCredential(service, ['users:read'])),
      );
      const rotate = async (credential: typeof kept) => {
        const path = `${CREDENTIALS}/${credential!.record.id}/rotate`;
        const { status, body } = await service.api.post(path, {}, { token });
        assert.equal(status, 200);
        return body.data.credential as string;
      };
      const secretBefore = await rotate(earlier);
      const file = await createBackup(testDatabase);

      for (const name of ['disabled', 'enabled'] as const) await patch(name, { state: 'disabled' });
      await patch('enabled', { state: 'active' });
      await patch('demoted', { role: null });
      await patch('promoted', { role: 'owner' });
      assert.equal((await service.api.delete(path('erased'), { token })).status, 204);
      const password = 'paper lantern under the bridge';
      assert.equal((await service.api.put(`${path('reset')}/password`, { password }, { token })).status, 200);
      const merge = { from: users.merged.id };
      assert.equal(
        (await service.api.post(`${path('target')}/merge`, merge, { token, headers })).status,
        200,
      );
      assert.equal((await service.api.delete(`${CREDENTIALS}/${revoked!.record.id}`, { token })).status, 204);
      await rotate(rotated);
      await numberAllEvents(database);

      const target = source.startsWith('the ledger') ? await createTestDatabase(engine) : testDatabase;
      if (target !== testDatabase) {
        context.after(target.remove);
        await createLedgerWriter(database, dirname(file))();
      }
      await service.stop();
      const { code, lines } = await runBackup(target, ['restore', file, '--replace']);
      assert.equal(code, 2, lines.join('\n'));
      const listed = (kind: string) =>
        lines
          .filter((line) => line.startsWith(`${kind} `))
          .map((line) =>
            line
              .split(/ +/)
              .slice(kind.split(' ').length, kind.split(' ').length + 2)
              .join(' '),
          )
          .sort();
      const subject = (name: (typeof NAMES)[number]) => `user:${users[name].id}`;
      assert.deepEqual(
        listed('repeated'),
        [
          `credential.revoked credential:${revoked!.record.id}`,
          `credential.rotated credential:${rotated!.record.id}`,
          `user.disabled ${subject('disabled')}`,
          `user.erased ${subject('erased')}`,
          `user.updated ${subject('demoted')}`,
        ].sort(),
      );
      assert.deepEqual(listed('not repeated'), [
        `password.changed ${subject('reset')}`,
        `user.merged ${subject('merged')}`,
      ]);

      const restored = await openService(context, engine, { environment, testDatabase: target });
      const read = async (name: (typeof NAMES)[number]) => {
        const { status, body } = await restored.api.get(path(name), { token });
        return status === 404 ? null : [body.data.state, body.data.role];
      };
      assert.deepEqual(
        Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await read(name)]))),
        {
          ...Object.fromEntries(NAMES.map((name) => [name, ['active', null]])),
          erased: null,
          disabled: ['disabled', null],
          promoted: ['active', 'support'],
        },
      );
      const getStatus = async (credential: string) =>
        (await restored.api.get('/api/v1/users', { token: credential })).status;
      assert.deepEqual(
        await Promise.all(
          [kept!.secret, revoked!.secret, rotated!.secret, secretBefore].map((secret) => getStatus(secret)),
        ),
        [200, 401, 401, 200],
      );
      for (const { token: ended } of Object.values(users))
        assert.equal((await restored.api.get('/api/v1/me', { token: ended })).status, 401);
      await numberAllEvents(restored.service.database);
      const verified = await run(['events', 'verify'], toEnvironment(target, environment));
      assert.equal(verified.code, 0, verified.lines.join());
    });
});

describeOnSqlite('the ledger in a restore', (engine) => {
  test('cli backup restore rejects a ledger with a damaged line, which it names, or one that cannot be read, and changes nothing', async (context) => {
    const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
    const file = await createBackup(testDatabase);
    const ledger = join(dirname(file), 'frontdesk-ledger.ndjson');
    const assertRejected = async (reason: RegExp) => {
      const target = await openTestDatabase(context, engine);
      const { code, lines } = await runBackup(target, ['restore', file]);
      assert.deepEqual([code, lines.length], [1, 1], lines.join());
      assert.match(lines[0]!, reason);
    };
    for (const line of ['{"at":"2026"}}', '{}', '{"at":"2026-01-03T00:00:00.000Z","type":"user.erased"}']) {
      writeFileSync(ledger, `\n${line}`);
      await assertRejected(
        /is rejected: line 2 of .*frontdesk-ledger\.ndjson is damaged: correct or remove it/,
      );
    }
    rmSync(ledger);
    symlinkSync(ledger, ledger);
    await assertRejected(/^backup: ELOOP.*frontdesk-ledger\.ndjson/);
  });

  test('cli backup restore repeats the last of the facts of both ledgers by their times', async (context) => {
    const testDatabase = await openTestDatabase(context, engine, createCurrentDatabase);
    const id = await withOpened(testDatabase, async (database) => (await insertLoggedInUser(database)).id);
    const file = await createBackup(testDatabase);
    const target = await openTestDatabase(context, engine);
    const write = (directory: string, fact: Pick<Fact, 'at' | 'type'>) =>
      appendFileSync(
        join(directory, 'frontdesk-ledger.ndjson'),
        `\n${JSON.stringify({ ...fact, subject: `user:${id}` })}`,
      );
    write(dirname(file), { at: '2026-01-03T00:00:00.000Z', type: 'user.enabled' });
    write(target.directory, { at: '2026-01-02T00:00:00.000Z', type: 'user.disabled' });
    const { code, lines } = await runBackup(target, ['restore', file], { BACKUP_DIR: target.directory });
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!lines.some((line) => line.startsWith('repeated')), lines.join('\n'));
  });
});

describeOnEachEngine('the ledger', (engine) => {
  test('the ledger has each fact once, without personal data, also after a restart and a line that was cut off', async (context) => {
    const service = await openService(context, engine, { environment });
    const { database } = service;
    const directory = join(service.testDatabase.directory, 'backups');
    const disable = async () => {
      const user = await insertLoggedInUser(database);
      await service.api.patch(`/api/v1/users/${user.id}`, { state: 'disabled' }, { token, headers });
      await numberAllEvents(database);
      return user;
    };
    const users = [await disable()];
    const write = createLedgerWriter(database, directory);
    await write();
    users.push(await disable());
    await write();
    const file = join(directory, 'frontdesk-ledger.ndjson');
    appendFileSync(file, '\n{"at":"20');
    users.push(await disable());
    await createLedgerWriter(database, directory)();
    await write();
    const facts = readLedger(directory);
    assert.deepEqual(
      [...new Set(facts.map(({ subject }) => subject))],
      users.map(({ id }) => `user:${id}`),
    );
    assert.deepEqual(new Set(facts.map(({ type }) => type)), new Set(['user.disabled']));
    const text = readFileSync(file, 'utf8');
    for (const { name, email } of users) for (const value of [name, email]) assert.ok(!text.includes(value!));
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    await createLedgerWriter(database, directory)();
    assert.equal(readLedger(directory).length, 3, 'it is written anew from the record of events');
  });
});
