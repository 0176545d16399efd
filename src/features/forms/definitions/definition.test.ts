import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS, publishTestForm } from '../../../../test/support/forms.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { createGetPublishedForm } from './definition.ts';

describeOnSqlite('published forms', (engine) => {
  const service = useSharedService(engine);

  test('a published form is read and parsed once until the next commit', async () => {
    const id = (await publishTestForm(service)).slice(`${FORMS}/`.length);
    let version = 1;
    const getPublishedForm = createGetPublishedForm({
      ...service.service.database,
      readVersion: () => version,
    });
    const form = await getPublishedForm(id);
    assert.equal(await getPublishedForm(id), form);
    version++;
    const read = await getPublishedForm(id);
    assert.notEqual(read, form);
    assert.deepEqual(read, form);
  });
});
