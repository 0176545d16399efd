/** examples/cli with the service. */
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as client from 'openid-client';
import { discover, logIn, logOut, showPerson } from '../../examples/cli/desk.ts';
import { listLiveTokens } from '../../src/features/people/tokens/queries.ts';
import { createApplication, signIn } from '../support/applications.ts';
import { createSignedInBrowser } from '../support/devices.ts';
import { useSharedService } from '../support/service.ts';

const service = useSharedService('sqlite');

test('examples/cli shows a code and a QR code, stays signed in by its refresh token after its confirmation, and revokes all tokens', async () => {
  const { database } = service;
  const { id } = await createApplication(service, { kind: 'public', device: true, refresh: true });
  const config = await discover(service.api.url, id);
  const person = await signIn(service);
  const browser = createSignedInBrowser(service, person);
  const printed: string[] = [];
  const print = async (text: string) => {
    printed.push(text);
    const [user_code] = /[A-Z]{4}-[A-Z]{4}$/.exec(text) ?? [];
    if (user_code !== undefined) await browser.submit('/device/allow', { user_code });
  };
  const file = join(service.testDatabase.directory, 'desk', 'tokens.json');
  const program = { config, file, print };
  await assert.rejects(showPerson(program), /not signed in/);
  // The code is confirmed before the first request for the token.
  config[client.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    return url.endsWith('/device_authorization')
      ? Response.json({ ...((await response.json()) as object), interval: 0.001 })
      : response;
  };
  await logIn(program);
  assert.match(printed[0]!, /^[█▀▄ \n]+$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const kept = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...kept, expires_at: 0 }));
  await showPerson(program);
  assert.equal(printed.at(-1), person.user.email);
  assert.notEqual(JSON.parse(await readFile(file, 'utf8')).refresh_token, kept.refresh_token);
  assert.equal((await listLiveTokens(database, person.user.id, Date.now())).length, 1);
  await logOut(program);
  assert.deepEqual(await listLiveTokens(database, person.user.id, Date.now()), []);
  await assert.rejects(showPerson(program), /not signed in/);
});
