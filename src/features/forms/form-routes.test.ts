import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTestForm,
  FORMS,
  insertTestSubmissions,
  NAME_FIELD,
  publishNextVersion,
  publishTestForm,
} from '../../../test/support/forms.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, useService, useSharedService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

describeOnEachEngine('forms', (engine) => {
  const service = useSharedService(engine);
  const { get, post, put } = {
    get: (path: string, options: object = admin) => service.api.get(path, options),
    post: (path: string, body?: unknown) => service.api.post(path, body, admin),
    put: (path: string, body: unknown, ifMatch = '*') =>
      service.api.put(path, body, { ...admin, headers: { 'if-match': ifMatch } }),
  };

  test('POST /api/v1/forms stores a draft with the default settings', async () => {
    const { status, headers, body } = await post(FORMS, { title: 'Contact', fields: [NAME_FIELD] });
    assert.equal(status, 201);
    const { id, created_at, updated_at, ...form } = body.data;
    assert.equal(headers.get('location'), `${FORMS}/${id}`);
    assert.equal(headers.get('etag'), '"1"');
    assert.equal(created_at, updated_at);
    assert.deepEqual(form, {
      ...{ title: 'Contact', description: null, fields: [NAME_FIELD], state: 'draft' },
      ...{ draft_version: 1, published_version: null, access: 'public', once: false, revision: 1 },
      ...{ opens_at: null, closes_at: null, max_submissions: null, retention_days: null },
      ...{ time_zone: null, max_per_minute: null },
      ...{ allowed_origins: [], thanks: null, notify: null, on_erasure: 'delete' },
    });
    const found = await get(`${FORMS}/${id}`);
    assert.deepEqual(found.body.data, { ...body.data, submissions: { accepted: 0, held: 0 } });
  });

  test('POST /api/v1/forms stores all members of a form and of its fields', async () => {
    const given = {
      title: 'Registration',
      description: 'For members.\nBring a towel.',
      fields: [
        { ...NAME_FIELD, title: 'Name', help: 'As in your passport', max_length: 50 },
        { label: '__proto__', type: 'text', is_required: false, options: ['a', 'b'], multiple: true },
        { label: 'constructor', type: 'number', is_required: false, min: 0, max: 1.5 },
        { label: 'toString', type: 'date', is_required: false, min: '2024-01-01', max: '2024-12-31' },
        { label: 'remarks', type: 'text', is_required: false, multiline: true },
      ],
      ...{ access: 'token', once: true, max_submissions: 100, retention_days: 30, on_erasure: 'unlink' },
      ...{ time_zone: 'Europe/Berlin', max_per_minute: 50 },
      ...{ opens_at: '2026-01-01T00:00:00.000Z', closes_at: '2026-02-01T00:00:00.000Z' },
      ...{ allowed_origins: ['https://example.com'], thanks: { url: 'https://example.com/thanks' } },
    };
    const { id } = await createTestForm(service, given);
    const { data } = (await get(`${FORMS}/${id}`)).body;
    for (const [name, value] of Object.entries(given)) assert.deepEqual(data[name], value, name);
  });

  test('a form is absent for all but administrators until it is published', async () => {
    const { id } = await createTestForm(service);
    const { token } = await insertLoggedInUser(service.database);
    const paths = [`${FORMS}/${id}`, `${FORMS}/${id}/schema.json`];
    for (const path of paths) {
      for (const caller of [{}, { token }]) {
        const { status, body } = await get(path, caller);
        assert.deepEqual([status, body.code], [404, 'form_not_found']);
      }
      assert.equal((await get(path)).status, 200);
    }
    await post(`${FORMS}/${id}/publish`);
    const { body } = await get(`${FORMS}/${id}`, {});
    assert.deepEqual(Object.keys(body.data).sort(), [
      ...['access', 'closes_at', 'description', 'fields', 'id', 'once', 'opens_at', 'published_version'],
      ...['state', 'thanks', 'title'],
    ]);
  });

  test('PUT /api/v1/forms/{id} makes a new draft, which others see after it is published', async () => {
    const path = await publishTestForm(service);
    const changed = { title: 'Contact us', fields: [NAME_FIELD, { ...NAME_FIELD, label: 'city' }] };
    const { headers, body } = await put(path, changed, '"2"');
    assert.deepEqual(
      [headers.get('etag'), body.data.draft_version, body.data.published_version],
      ['"3"', 2, 1],
    );
    assert.equal((await get(path, {})).body.data.title, 'Contact');
    assert.equal((await post(`${path}/publish`)).body.data.published_version, 2);
    assert.deepEqual((await get(path, {})).body.data.fields, changed.fields);
    const { data } = (await get(`${path}/versions`)).body;
    assert.deepEqual(
      data.map((version: { number: number; published_at: unknown }) => [
        version.number,
        version.published_at !== null,
      ]),
      [
        [2, true],
        [1, true],
      ],
    );
    const first = (await get(`${path}/versions/1`)).body.data;
    assert.deepEqual([first.title, first.fields], ['Contact', [NAME_FIELD]]);
  });

  test('PUT /api/v1/forms/{id} with the same definition makes no version, and no revision without a change', async () => {
    const { id } = await createTestForm(service);
    const path = `${FORMS}/${id}`;
    const same = { title: 'Contact', fields: [{ ...NAME_FIELD, help: null, multiline: false }] };
    assert.equal((await put(path, same)).headers.get('etag'), '"1"');
    const { data } = (await put(path, { ...same, max_submissions: 5 })).body;
    assert.deepEqual([data.draft_version, data.revision, data.max_submissions], [1, 2, 5]);
    assert.equal((await get(`${path}/versions`)).body.data.length, 1);
  });

  test('PUT and DELETE of a form require the current revision in If-Match', async () => {
    const { id } = await createTestForm(service);
    const path = `${FORMS}/${id}`;
    const body = { title: 'Contact', fields: [NAME_FIELD] };
    assert.equal((await service.api.put(path, body, admin)).body.code, 'precondition_required');
    assert.equal((await service.api.delete(path, admin)).body.code, 'precondition_required');
    assert.equal((await put(path, body, '"2"')).body.code, 'precondition_failed');
    const stale = { ...admin, headers: { 'if-match': '"2"' } };
    assert.equal((await service.api.delete(path, stale)).body.code, 'precondition_failed');
    assert.equal(
      (await service.api.post(`${path}/publish`, undefined, stale)).body.code,
      'precondition_failed',
    );
  });

  test('a form is published, closed and reopened, and a repeated change changes nothing', async () => {
    const { id } = await createTestForm(service);
    const path = `${FORMS}/${id}`;
    for (const name of ['close', 'reopen'])
      assert.equal((await post(`${path}/${name}`)).body.code, 'form_state_conflict', name);
    for (const [name, state, revision] of [
      ['publish', 'published', 2],
      ['close', 'closed', 3],
      ['reopen', 'published', 4],
    ] as const) {
      for (const _ of [1, 2]) {
        const { data } = (await post(`${path}/${name}`)).body;
        assert.deepEqual([data.state, data.revision], [state, revision]);
      }
    }
    const { body } = await get('/api/v1/events?limit=100&order=-time');
    const types = body.data.filter(({ subject }: { subject: string }) => subject === `form:${id}`);
    assert.deepEqual(pluck(types, 'type'), [
      'form.reopened',
      'form.closed',
      'form.published',
      'form.created',
    ]);
  });

  test('POST /api/v1/forms/{id}/duplicate makes a draft of the draft and its settings', async () => {
    const path = await publishTestForm(service, { access: 'token', thanks: { text: 'Thanks.' } });
    const { status, body } = await post(`${path}/duplicate`);
    assert.equal(status, 201);
    const { title, state, access, thanks, published_version, revision } = body.data;
    assert.deepEqual(
      { title, state, access, thanks, published_version, revision },
      {
        ...{ title: 'Contact', state: 'draft', access: 'token', thanks: { text: 'Thanks.' } },
        ...{ published_version: null, revision: 1 },
      },
    );
    assert.notEqual(`${FORMS}/${body.data.id}`, path);
  });

  test('DELETE /api/v1/forms/{id} makes the form absent', async () => {
    const path = await publishTestForm(service);
    const { status } = await service.api.delete(path, { ...admin, headers: { 'if-match': '"2"' } });
    assert.equal(status, 204);
    for (const caller of [admin, {}]) assert.equal((await get(path, caller)).body.code, 'form_not_found');
    const submitted = await service.api.post(`${path}/submissions`, { answers: { full_name: 'Ada' } });
    assert.equal(submitted.body.code, 'form_not_found');
  });

  if (engine === 'postgres') return;

  test('GET /api/v1/forms/{id}/schema.json is of the draft and with or without the patterns that the query names', async () => {
    const path = await publishTestForm(service, {
      fields: [NAME_FIELD, { label: '123', type: 'date', is_required: false }],
    });
    for (const schemaPath of [`${path}/schema.json`, `${path}/versions/1/schema.json`]) {
      const { headers, body, text } = await get(schemaPath);
      assert.match(headers.get('content-type')!, /^application\/schema\+json/);
      assert.equal(body.$schema, 'https://json-schema.org/draft/2020-12/schema');
      assert.match(text, /"full_name":.*"pattern".*"123":/);
      const other = await get(`${schemaPath}?draft=7&patterns=no`);
      assert.equal(other.body.$schema, 'http://json-schema.org/draft-07/schema#');
      assert.doesNotMatch(other.text, /"pattern"/);
      for (const query of ['draft=4', 'patterns=yes'])
        assert.equal((await get(`${schemaPath}?${query}`)).status, 400, query);
    }
  });

  test('PUT /api/v1/forms/{id} rejects another type of a published field, and accepts its removal and return', async () => {
    const path = await publishTestForm(service);
    const other = { ...NAME_FIELD, label: 'city' };
    await publishNextVersion(service, path, { title: 'Contact', fields: [other] });
    const numeric = { ...NAME_FIELD, type: 'number' };
    const { status, body } = await put(path, { title: 'Contact', fields: [other, numeric] });
    assert.deepEqual([status, body.code], [409, 'field_type_changed']);
    assert.deepEqual(body.errors, [{ pointer: '#/fields/1/type', message: 'Type must stay text' }]);
    assert.equal((await put(path, { title: 'Contact', fields: [other, NAME_FIELD] })).status, 200);
  });
});

describeOnEachEngine('GET /api/v1/forms', (engine) => {
  const service = useService(engine);

  test('GET /api/v1/forms lists forms in pages, newest first', async () => {
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three']) ids.unshift((await createTestForm(service, { title })).id);
    const first = await service.api.get(`${FORMS}?limit=2`, admin);
    const next = await service.api.get(`${FORMS}?limit=2&cursor=${first.body.next_cursor}`, admin);
    const listed = [...first.body.data, ...next.body.data];
    assert.deepEqual(
      listed.map(({ id, title, fields, submissions }) => [id, title, fields, submissions]),
      ids.map((id, index) => [id, ['Three', 'Two', 'One'][index], undefined, { accepted: 0, held: 0 }]),
    );
    assert.equal(next.body.next_cursor, null);
  });

  test('GET /api/v1/forms counts the submissions of each form', async () => {
    const path = await publishTestForm(service);
    await insertTestSubmissions(service, path, { answers: [{}, {}] });
    await insertTestSubmissions(service, path, { answers: [{}], held: 1 });
    const [listed] = (await service.api.get(`${FORMS}?limit=1`, admin)).body.data;
    assert.deepEqual([`${FORMS}/${listed.id}`, listed.submissions], [path, { accepted: 2, held: 1 }]);
  });
});

describeOnSqlite('rules of forms', (engine) => {
  const service = useSharedService(engine);
  const reject = async (form: object) => {
    const { status, body } = await service.api.post(FORMS, form, admin);
    return { status, code: body.code, errors: body.errors };
  };

  test('a definition is rejected with all of its failures and a pointer to each', async () => {
    const fields = [
      { label: 'ab', type: 'x', help: '' },
      1,
      { ...NAME_FIELD, options: ['a', 'a'], pattern: '.*' },
      { label: 'amount', type: 'number', is_required: true, min: 2, max: 1, multiple: true },
      { label: 'city', type: 'text', is_required: true, options: ['a'], max_length: 2, multiline: true },
      { label: 'day', type: 'date', is_required: true, min: '2024-02-30', title: ' ' },
      { label: 'many', type: 'text', is_required: true, multiple: true },
      { label: 'ill', type: 'text', is_required: true, options: ['a', 'b\ud800'] },
      { label: 'lines', type: 'text', is_required: true, options: ['a\nb'], title: 1, 'a/b~': 1 },
      { label: 'CITY', type: 'text', is_required: true },
    ];
    const settings = { time_zone: 'Mars', allowed_origins: 1, thanks: { url: 'https://example.org/' } };
    const members = { title: '', access: 'all', once: true, pages: 2, ...settings };
    const { status, code, errors } = await reject({ ...members, fields });
    assert.deepEqual([status, code], [400, 'validation_failed']);
    assert.deepEqual(pluck(errors, 'pointer'), [
      ...['#/title', '#/access', '#/allowed_origins', '#/pages', '#/time_zone'],
      ...['#/fields/0/label', '#/fields/0/type', '#/fields/0/is_required', '#/fields/0/help', '#/fields/1'],
      ...['#/fields/2/options', '#/fields/2/pattern', '#/fields/3/max', '#/fields/3/multiple'],
      ...['#/fields/4/max_length', '#/fields/4/multiline', '#/fields/5/min', '#/fields/5/title'],
      ...['#/fields/6/multiple', '#/fields/7/options'],
      ...['#/fields/8/options', '#/fields/8/title', '#/fields/8/a~1b~0', '#/fields/9/label'],
    ]);
    assert.equal(errors[5].message, 'Label must be between 3 and 50 characters');
    const withNull = await reject({ title: '', fields: [NAME_FIELD], allowed_origins: null, thanks: null });
    assert.deepEqual(pluck(withNull.errors, 'pointer'), ['#/title']);
    const asProblem = await service.api.post(
      FORMS,
      { title: 'A', fields: [1] },
      { ...admin, headers: { accept: 'application/problem+json' } },
    );
    assert.deepEqual(asProblem.body.errors, [{ pointer: '#/fields/0', detail: 'invalid field format' }]);
  });

  test('a form without fields, or with more than 200, is rejected', async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({ ...NAME_FIELD, label: `field_${index}` }));
    assert.deepEqual((await reject({ title: 'A' })).errors, [
      { pointer: '#/fields', message: 'Fields array is required' },
    ]);
    assert.equal((await reject({ title: 'A', fields: many })).errors[0].pointer, '#/fields');
    assert.equal((await createTestForm(service, { fields: many.slice(1) })).draft_version, 1);
  });

  test('labels that differ in the case of their letters only are rejected with 409', async () => {
    const fields = [NAME_FIELD, { ...NAME_FIELD, label: 'Full_Name' }];
    const { status, code, errors } = await reject({ title: 'A', fields });
    assert.deepEqual([status, code], [409, 'duplicate_label']);
    assert.deepEqual(errors, [{ pointer: '#/fields/1/label', message: 'Label is already in use' }]);
  });

  test('settings that contradict each other are rejected', async () => {
    const base = { title: 'A', fields: [NAME_FIELD] };
    const time = '2026-01-01T00:00:00Z';
    for (const [name, settings] of Object.entries({
      once: { once: true },
      closes_at: { opens_at: time, closes_at: time },
      allowed_origins: { allowed_origins: ['https://example.com/'] },
      thanks: { thanks: { url: 'https://example.com/' }, allowed_origins: ['https://example.org'] },
      max_submissions: { max_submissions: 0 },
      max_per_minute: { max_per_minute: 0 },
      opens_at: { opens_at: 'tomorrow' },
      time_zone: { time_zone: 'Europe/Atlantis' },
    }))
      assert.deepEqual(
        (await reject({ ...base, ...settings })).errors.map(({ pointer }: { pointer: string }) => pointer),
        [`#/${name}`],
      );
    assert.equal((await reject({ ...base, thanks: { text: 'A', url: 'b' } })).errors[0].pointer, '#/thanks');
    assert.equal((await reject({ ...base, thanks: { text: 'a\ud800' } })).errors[0].pointer, '#/thanks');
    assert.equal((await reject({ ...base, time_zone: '+01:00' })).errors[0].pointer, '#/time_zone');
    assert.equal((await reject([])).code, 'invalid_payload');
    const six = Array.from({ length: 6 }, (_, index) => `a${index}@example.com`);
    const invalid = [[], ['x'], six].map((addresses) => ({ addresses, every: 'hour' }));
    for (const notify of [{}, 5, ...invalid])
      assert.match((await reject({ ...base, notify })).errors[0].message, /addresses, 1 to 5 emails/);
    const message = 'The closes_at field must be a time such as 2026-01-31T09:00:00Z.';
    assert.deepEqual((await reject({ ...base, closes_at: '2026-02-30T00:00:00Z' })).errors, [
      { pointer: '#/closes_at', message },
    ]);
  });

  test('a bound that loses digits is rejected', async () => {
    const raw = `{"title":"A","fields":[{"label":"amount","type":"number","is_required":true,"min":9007199254740993}]}`;
    const { body } = await service.api.post(FORMS, undefined, { ...admin, raw });
    assert.deepEqual(body.errors, [{ pointer: '#/fields/0/min', message: 'min must be a number or a date' }]);
  });
});
