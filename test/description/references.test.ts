/** The references of the benches, which are honest only while they return the same members. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userSchema } from '../../bench/references/stock/schemas.ts';
import { admin, useSharedService } from '../support/service.ts';
import { insertTestUser } from '../support/users.ts';

const service = useSharedService('sqlite');

test('the stock server of the benches returns the members that the list of users has', async () => {
  await insertTestUser(service.database);
  const { body } = await service.api.get('/api/v1/users?limit=1', admin);
  const members = Object.keys(userSchema.response[200].properties.data.properties);
  assert.deepEqual(members.toSorted(), Object.keys(body.data[0]).toSorted());
});
