import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, manualClock } from './support/limits.ts';
import { readMailedCodes, requestCode, sendCode, toWrongCode, WITH_CODES } from './support/mailed-codes.ts';
import { describeOnSqlite } from './support/runner/engines.ts';
import { useService } from './support/service.ts';
import { markEmailVerified, register } from './support/users.ts';

const off = Object.fromEntries(['LOGIN', 'LOGIN_CODE', 'ANON'].map((name) => [`RATE_LIMIT_${name}`, 'off']));
const NETWORKS = 50;
const GUESSES = 200;

describeOnSqlite('guessing mailed codes', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, limited({ ...WITH_CODES, ...off }, { clock }));

  test('five of 10,000 guesses from 50 networks are compared for each code, and the right code is too late after them', async () => {
    const { email, id } = await register(service);
    await markEmailVerified(service, id);
    const before = new Set<string>();
    const guess = async (number: number) => {
      const clientIp = `198.51.100.${number}`;
      const challenge = await requestCode(service, email, clientIp);
      const code = (await readMailedCodes(service, email)).find((each) => !before.has(each))!;
      before.add(code);
      return { challenge, code, clientIp };
    };
    for (let number = 0; number < NETWORKS; number++) {
      const { challenge, code, clientIp } = await guess(number);
      for (let sent = 0; sent < GUESSES; sent += 20) {
        // The sixth guess is the right one, and so are all later ones.
        const codes = Array.from({ length: 20 }, (_, index) => (sent + index < 5 ? toWrongCode(code) : code));
        const first = sent === 0 ? codes.splice(0, 5) : [];
        for (const batch of [first, codes]) {
          const responses = await Promise.all(
            batch.map((each) => sendCode(service, challenge, { code: each, clientIp })),
          );
          assert.ok(responses.every(({ status }) => status === 401));
        }
      }
    }
    const owner = await guess(NETWORKS);
    assert.equal((await sendCode(service, owner.challenge, owner)).status, 200);
    const me = await service.api.post('/api/login', { email, password: 'x' }, fromIp('203.0.113.9'));
    assert.equal(me.status, 401, 'wrong codes do not lock the account');
  });
});
