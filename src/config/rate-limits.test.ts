import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';
import { LIMIT_NAMES } from '../rate-limits/limits.ts';

describe('settings of the form RATE_LIMIT_*', () => {
  test('a RATE_LIMIT_ setting of a limit that does not exist is rejected with a list of those that do', () => {
    for (const name of ['RATE_LIMIT_LOGINFAIL', 'RATE_LIMIT_LOGIN-FAIL', 'RATE_LIMIT_login', 'RATE_LIMIT_']) {
      const known = assertRejected(name, '5/60').match(/(?<= )RATE_LIMIT_[A-Z_]+/g);
      assert.equal(known?.length, LIMIT_NAMES.length);
      for (const limit of known) assert.doesNotThrow(() => readConfig({ [limit]: '5/60' }));
    }
  });

  test('a RATE_LIMIT_ setting with an unknown name and an empty value is ignored', () => {
    assert.deepEqual(readConfig({ RATE_LIMIT_LOGINFAIL: ' ' }), readConfig({}));
  });
});
