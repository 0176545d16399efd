/** The references of the benches, which are honest only while they return the same members. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userSchema } from '../../bench/references/stock/schemas.ts';
import { description } from '../support/description/description.ts';

test('the stock server of the benches returns the members that every user has', () => {
  const members = Object.keys(userSchema.response[200].properties.data.properties);
  const { required } = description.components.schemas.User as { readonly required: readonly string[] };
  assert.deepEqual(members.toSorted(), required.toSorted());
});
