import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../support/browser/console-session.ts';
import { createCredential } from '../support/credentials.ts';
import { manualClock } from '../support/limits.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { type TestService, useNodes } from '../support/service.ts';
import { codeAt, createTotpCredential, enrol, STEP_MS, signInWithCode } from '../support/totp.ts';

describeOnPostgres('two-step sign-in on two nodes of one PostgreSQL database', () => {
  const clock = manualClock();
  const [one, two] = useNodes({ clock });
  const each = <T>(count: number, run: (node: TestService) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index % 2 === 0 ? one : two)));

  test('a code that both nodes get at the same time begins one session, and so does a recovery code', async () => {
    for (let round = 0; round < 3; round++) {
      const { secret, appSecret, recoveryCodes } = await createTotpCredential(one, clock.now);
      clock.now += 2 * STEP_MS;
      for (const code of [codeAt(appSecret, clock.now), recoveryCodes[0]]) {
        const responses = await each(6, (node) => signInWithCode(node, secret, code));
        const statuses = responses.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [201, 401, 401, 401, 401, 401]);
      }
    }
  });

  test('no session that began without a code on one node survives the enrolment on the other', async () => {
    for (let round = 0; round < 3; round++) {
      const { secret } = await createCredential(one, ['users:read']);
      const cookie = await signIn(one, secret);
      const [, ...started] = await Promise.all([
        enrol(two, cookie, clock.now),
        ...Array.from({ length: 6 }, () => signInWithCode(one, secret, undefined)),
      ]);
      const cookies = started.flatMap(({ headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? []);
      for (const other of cookies) {
        const headers = { cookie: other, 'x-frontdesk-console': '1', 'sec-fetch-site': 'same-origin' };
        assert.equal((await two.api.get('/console/session', { headers })).status, 401);
      }
    }
  });
});
