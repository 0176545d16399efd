import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SETTINGS } from '../settings/table.ts';
import { findWrongNames } from './environment-file.ts';

const find = (variables: Record<string, string>, fileNames: string[] = []) =>
  findWrongNames({ variables, fileNames }, Object.keys(SETTINGS)).map(({ message }) => message);

describe('mistyped names of settings', () => {
  test('a name of the environment within two letters of a setting is wrong, and the nearest is suggested', () => {
    for (const [name, meant] of [
      ['REGISTRATON', 'REGISTRATION'],
      ['CORS_ORIGIN', 'CORS_ORIGINS'],
      ['DATABSE_ULR', null],
      ['DATABASE_ULR', 'DATABASE_URL'],
      ['RATE_LIMIT_LOGIN_FIAL', 'RATE_LIMIT_LOGIN_FAIL'],
      ['CONSOLEE', 'CONSOLE'],
    ] as const)
      assert.deepEqual(
        find({ [name]: 'x' }),
        meant === null ? [] : [`${name} is not the name of a setting: did you mean ${meant}?`],
      );
  });

  test('settings, short names and others of the environment are not wrong', () => {
    assert.deepEqual(find(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))), []);
    assert.deepEqual(
      find({ PATH: '', HOSTS: '', PORTS: '', HOSTNAME: '', NODE_OPTIONS: '', LOGNAME: '' }),
      [],
    );
  });

  test('each unknown name in the file is wrong, also if the environment has it', () => {
    assert.deepEqual(find({ HOSTS: '', NODE_ENV: '', PORT: '1' }, ['HOSTS', 'NODE_ENV', 'PORT']), [
      'HOSTS is not the name of a setting: remove it',
      'NODE_ENV is not the name of a setting: remove it',
    ]);
  });
});
