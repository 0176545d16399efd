import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { newPerson, useService } from '../../../test/support/service.ts';

describeOnEachEngine('registration', (engine) => {
  const service = useService(engine);

  test('a person who registers is logged in with the token of the answer', async () => {
    const person = newPerson();
    const { status, headers, body } = await service.api.post('/api/register', person);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'data']);
    assert.deepEqual(body.data, { access_token: body.access_token, token_type: 'Bearer' });
    assert.equal(headers.get('cache-control'), 'no-store');
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.email, person.email);
    assert.equal(headers.get('location'), `/api/v1/users/${me.body.data.id}`);
  });

  test('of twenty who register one address at once exactly one succeeds', async () => {
    const person = newPerson();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.api.post('/api/register', person)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array(19).fill(409)]);
  });
});
