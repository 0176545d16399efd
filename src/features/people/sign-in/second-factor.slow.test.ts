import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../../test/support/totp.ts';
import { ANSWER_PATH, getChallenge, registerWithTotp } from '../../../../test/support/user-totp.ts';
import { countLiveTokens } from '../tokens/queries.ts';

const REPLAYS = 1_000;

describeOnEachEngine('replays of a code', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });

  for (const kind of ['a code of the app', 'a recovery code'] as const)
    test(`${REPLAYS} logins and answers at the same time with ${kind} issue one token`, async () => {
      const person = await registerWithTotp(service, clock.now);
      clock.now += STEP_MS;
      const { email, password, appSecret, recoveryCodes } = person;
      const code = kind === 'a recovery code' ? recoveryCodes[0]! : codeAt(appSecret, clock.now);
      const challenge = await getChallenge(service, person);
      const before = await countLiveTokens(service.service.database, person.id, clock.now);
      const attempts = Array.from({ length: REPLAYS }, (_, index) =>
        index % 2 === 0
          ? service.api.post('/api/login', { email, password, code })
          : service.api.post(ANSWER_PATH, { challenge, code }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1);
      assert.ok(
        statuses.every((status) => [200, 401, 429, 503].includes(status)),
        [...new Set(statuses)].join(),
      );
      assert.equal(await countLiveTokens(service.service.database, person.id, clock.now), before + 1);
    });
});
