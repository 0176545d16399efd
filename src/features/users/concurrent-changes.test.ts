import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api, ApiResponse } from '../../../test/support/api.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  startService,
  type TestService,
  useSharedService,
} from '../../../test/support/service.ts';
import { createUnclaimedUser } from '../../../test/support/users.ts';

describeStorage('concurrent requests for one user on two nodes', (engine) => {
  const service = useSharedService(engine);
  let second: TestService;
  before(async () => {
    second = await startService(engine, { testDatabase: service.testDatabase });
  });
  after(() => second.stop());

  /** Sends ten requests concurrently, alternately to the two nodes. */
  const spread = (send: (api: Api, index: number) => Promise<ApiResponse>) =>
    Promise.all(
      Array.from({ length: 10 }, (_, index) => send((index % 2 === 0 ? service : second).api, index)),
    );
  const matching = (ifMatch: string) => ({ token: ADMIN_TOKEN, headers: { 'if-match': ifMatch } });
  const getStatuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort();

  test('concurrent requests with the same ETag on two nodes change a user exactly once', async () => {
    const { id } = await createUnclaimedUser(service);
    const responses = await spread((api, index) =>
      api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('"1"')),
    );
    assert.deepEqual(getStatuses(responses), [200, ...Array(9).fill(412)]);
    const winner = responses.find(({ status }) => status === 200)!;
    const { body } = await second.api.get(`/api/v1/users/${id}`, admin);
    assert.deepEqual(body, winner.body);
    assert.equal(body.data.version, 2);
  });

  test('concurrent requests with If-Match: * on two nodes all succeed, one after the other', async () => {
    const { id } = await createUnclaimedUser(service);
    const responses = await spread((api, index) =>
      api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('*')),
    );
    assert.deepEqual(getStatuses(responses), Array(10).fill(200));
    const versions = responses.map(({ body }) => body.data.version).sort((one, other) => one - other);
    assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('concurrent requests with If-Match: * get 404 after a deletion, and exactly one deletion succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createUnclaimedUser(service);
      const responses = await spread((api, index) =>
        index < 4
          ? api.delete(`/api/v1/users/${id}`, matching('*'))
          : api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('*')),
      );
      assert.deepEqual(getStatuses(responses.slice(0, 4)), [204, 404, 404, 404]);
      for (const { status } of responses.slice(4)) assert.ok([200, 404].includes(status), `status ${status}`);
    }
  });
});
