/** Exports that fail after their response has begun. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { FORMS, insertTestSubmissions, publishTestForm } from '../../../../test/support/forms.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { lockForm, markDeleted } from '../queries.ts';

describeOnSqlite('an export whose form is deleted meanwhile', (engine) => {
  const service = useService(engine);

  test('an export as a spreadsheet whose form is deleted meanwhile resets the connection', async () => {
    const path = await publishTestForm(service);
    // More than the buffers of the connection hold, and nothing that can be compressed.
    const answers = Array.from({ length: 600 }, () => ({
      full_name: randomBytes(30_000).toString('base64'),
    }));
    await insertTestSubmissions(service, path, { answers });
    const headers = { authorization: `Bearer ${admin.token}` };
    const response = await fetch(`${service.api.url}${path}/submissions/export?format=xlsx`, { headers });
    assert.equal(response.status, 200);
    const formId = path.slice(`${FORMS}/`.length);
    await service.database.transaction(async (tx) => {
      await lockForm(tx, formId);
      await markDeleted(tx, formId);
    });
    await assert.rejects(response.bytes(), (error: Error) => {
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNRESET');
      return true;
    });
  });
});
