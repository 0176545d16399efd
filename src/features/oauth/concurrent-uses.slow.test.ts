import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  refresh,
  signIn,
  signInOffline,
} from '../../../test/support/applications.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { listLiveTokens } from '../people/tokens/queries.ts';

const USES = 1_000;

describeOnEachEngine('concurrent uses of a code or a refresh token', (engine) => {
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

  test(`${USES.toLocaleString('en')} concurrent uses of a refresh token get one successor, and leave one program signed in`, async () => {
    const signedIn = await signInOffline(service);
    const uses = Array.from({ length: USES }, () => refresh(service, signedIn));
    const responses = await Promise.all(uses);
    assert.ok(responses.every(({ status }) => [200, 503].includes(status)));
    const successors = new Set(responses.flatMap(({ body }) => body.refresh_token ?? []));
    assert.equal(successors.size, 1);
    const [token] = successors;
    assert.equal((await refresh(service, { ...signedIn, token })).status, 200);
    const { database } = service.service;
    assert.equal((await listLiveTokens(database, signedIn.user.id, Date.now())).length, 1);
  });
});
