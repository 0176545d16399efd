import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  signIn,
} from '../../../test/support/applications.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { listLiveTokens } from '../people/tokens/queries.ts';

const USES = 1_000;

describeOnEachEngine('concurrent uses of a code', (engine) => {
  const service = useService(engine, { environment: { RATE_LIMIT_LOGIN: 'off' } });

  test(`of ${USES.toLocaleString('en')} concurrent uses of a code one gets a token, which the others revoke`, async () => {
    const application = await createApplication(service);
    const { user, headers } = await signIn(service);
    const { code } = (await authorize(service, authorization(application), headers)).result;
    const uses = Array.from({ length: USES }, () => exchange(service, application, { code }));
    const statuses = (await Promise.all(uses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    // Those that wait for the row of the person for too long may get 503.
    assert.ok(
      statuses.every((status) => [200, 400, 503].includes(status)),
      String(new Set(statuses)),
    );
    assert.ok(statuses.includes(400));
    assert.deepEqual(await listLiveTokens(service.service.database, user.id, Date.now()), []);
  });
});
