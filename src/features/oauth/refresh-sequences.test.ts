import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refresh, signInOffline } from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';

const GRACE_SECONDS = 30;

/** A use of one of the tokens that anybody has got, counted from the last one, after a pause. */
const use = fc.record({
  age: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  seconds: fc.constantFrom(0, 1, GRACE_SECONDS - 1, GRACE_SECONDS, 3_600),
});

describeOnSqlite('sequences of uses of refresh tokens', (engine) => {
  const clock = manualClock(Date.now());
  const environment = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off' };
  const service = useService(engine, { clock, environment });

  test('only the last token, and for 30 seconds the one before, are accepted, and any other ends all for ever', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(use, { minLength: 1, maxLength: 12 }), async (uses) => {
        const signedIn = await signInOffline(service, { clock });
        const tokens: string[] = [signedIn.token];
        let rotatedAt = Number.NEGATIVE_INFINITY;
        let isEnded = false;
        for (const { age, seconds } of uses) {
          clock.now += seconds * 1000;
          const index = Math.max(0, tokens.length - 1 - age);
          const isLast = index === tokens.length - 1;
          const isGrace = index === tokens.length - 2 && clock.now < rotatedAt + GRACE_SECONDS * 1000;
          isEnded ||= !isLast && !isGrace;
          const { status, body } = await refresh(service, { ...signedIn, token: tokens[index]! });
          assert.equal(status, isEnded ? 400 : 200);
          if (isEnded) continue;
          if (isGrace) assert.equal(body.refresh_token, tokens.at(-1));
          else {
            tokens.push(body.refresh_token);
            rotatedAt = clock.now;
          }
        }
        assert.equal(new Set(tokens).size, tokens.length);
      }),
      { numRuns: 15 },
    );
  });
});
