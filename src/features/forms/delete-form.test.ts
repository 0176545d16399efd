import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTestForm,
  FORMS,
  insertTestSubmissions,
  publishTestForm,
} from '../../../test/support/forms.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { DAY } from '../../lib/time.ts';
import { deleteForm, deleteNextRows } from './change-form.ts';
import { markDeleted } from './queries.ts';
import { deleteExpiredSubmissions } from './submissions/change-submissions.ts';
import { countSubmissions } from './submissions/queries.ts';

const ROWS = sql<{ rows: number }>(`
  select (select count(*) from forms where id = $1) + (select count(*) from form_versions where form_id = $1)
    + (select count(*) from form_submissions where form_id = $1) as rows`);
const ANSWERS = { full_name: 'Ada' };

describeOnEachEngine('deletion of forms and submissions', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const getId = (path: string) => path.slice(`${FORMS}/`.length);
  const countRows = async (path: string) => (await service.database.get(ROWS, getId(path)))!.rows;
  const many = Array.from({ length: 1_200 }, () => ANSWERS);

  test('a deleted form loses its versions and submissions in the background, and others keep theirs', async () => {
    const [path, other] = [await publishTestForm(service), await publishTestForm(service)];
    for (const each of [path, other]) await insertTestSubmissions(service, each, { answers: many });
    await deleteForm({ database, clock: Date.now }, { id: getId(path), isExpected: () => true });
    await until(async () => (await countRows(path)) === 0, 'all rows of the form are deleted');
    assert.equal(await countRows(other), 1_202);
  });

  test('a deletion that an end of the process has interrupted is completed by the housekeeping', async () => {
    const path = await publishTestForm(service);
    await insertTestSubmissions(service, path, { answers: many });
    await database.transaction((tx) => markDeleted(tx, getId(path)));
    const deleteBatch = () => database.transaction((tx) => deleteNextRows(tx, 0, 500));
    assert.equal(await deleteBatch(), 500);
    assert.equal(await countRows(path), 702);
    while ((await deleteBatch()) === 500);
    assert.equal(await countRows(path), 0);
  });

  test('submissions are deleted when they are older than the form keeps them', async () => {
    const [path, other] = [
      await publishTestForm(service, { retention_days: 30 }),
      await publishTestForm(service),
    ];
    const now = Date.now();
    for (const each of [path, other])
      for (const start of [now - 30 * DAY - 1, now - 30 * DAY])
        await insertTestSubmissions(service, each, { answers: [ANSWERS], start });
    const remove = () => database.transaction((tx) => deleteExpiredSubmissions(tx, now, 500));
    assert.deepEqual([await remove(), await remove()], [1, 0]);
    const counts = [path, other].map((each) => countSubmissions(database, getId(each), 10));
    assert.deepEqual(
      (await Promise.all(counts)).map((count) => count!.accepted),
      [1, 2],
    );
  });

  test('submissions of a person are in their export, and with their erasure deleted or unlinked as the form says', async () => {
    const { id, token } = await insertLoggedInUser(service.database);
    const [deleting, unlinking] = [
      await publishTestForm(service),
      await publishTestForm(service, { on_erasure: 'unlink' }),
    ];
    for (const path of [deleting, unlinking])
      await service.api.post(`${path}/submissions`, { answers: ANSWERS }, { token });
    const { submissions } = (await service.api.get('/api/v1/me/export', { token })).body;
    assert.deepEqual(
      submissions
        .map(({ form_id, version, answers }: Record<string, unknown>) => [form_id, version, answers])
        .sort(),
      [deleting, unlinking].map((path) => [getId(path), 1, ANSWERS]).sort(),
    );
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, admin)).status, 204);
    const list = async (path: string) =>
      (await service.api.get(`${path}/submissions`, admin)).body.data.map(
        ({ user_id, answers }: Record<string, unknown>) => [user_id, answers],
      );
    assert.deepEqual(await list(deleting), []);
    assert.deepEqual(await list(unlinking), [[null, ANSWERS]]);
  });

  test('the deletion of a form is recorded', async () => {
    const { id } = await createTestForm(service);
    await service.api.delete(`${FORMS}/${id}`, { ...admin, headers: { 'if-match': '"1"' } });
    const { body } = await service.api.get(`/api/v1/events?subject=form:${id}`, admin);
    assert.deepEqual(pluck(body.data, 'type'), ['form.deleted', 'form.created']);
  });
});
