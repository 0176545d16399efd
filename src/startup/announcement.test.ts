import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { formatAnnouncement } from './announcement.ts';

const url = 'http://localhost:3000';
const store = '/srv/frontdesk/data/frontdesk.db';
const adminTokenFile = '/srv/frontdesk/data/admin-token';
const hasConsole = true;
const settingsFile = null;

describe('the announcement of a started process', () => {
  test('the announcement is one line with URL, store and credential file when standard output is not a terminal', () => {
    assert.equal(
      formatAnnouncement({ url, store, adminTokenFile, settingsFile, hasConsole }, false),
      `Frontdesk listens on ${url} with the database ${store} (ADMIN_TOKEN: ${adminTokenFile})`,
    );
  });

  test('the announcement names this machine localhost, where browsers have passkeys, and other addresses as they are', () => {
    for (const [given, shown] of [
      ['http://127.0.0.1:3000', url],
      ['http://0.0.0.0:3000', 'http://0.0.0.0:3000'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
    ] as const)
      for (const isTerminal of [true, false]) {
        const started = { url: given, store, adminTokenFile, settingsFile, hasConsole };
        assert.ok(formatAnnouncement(started, isTerminal).includes(` listens on ${shown} `));
      }
  });

  test('the announcement names ADMIN_TOKEN when the operator has set the credential', () => {
    const started = { url, store, adminTokenFile: null, settingsFile, hasConsole };
    assert.ok(formatAnnouncement(started, false).endsWith('(ADMIN_TOKEN: the environment)'));
    assert.match(formatAnnouncement(started, true), /^ {2}ADMIN_TOKEN {10}the environment$/m);
  });

  test('the announcement is a block with URL, store, credential file, reference and next command on a terminal', () => {
    const started = { url, store, adminTokenFile, settingsFile };
    const block = formatAnnouncement({ ...started, hasConsole }, true);
    assert.match(block, /^ {2}Console {14}http:\/\/localhost:3000\/console$/m);
    assert.doesNotMatch(formatAnnouncement({ ...started, hasConsole: false }, true), /console/i);
    assert.ok(block.includes(` listens on ${url} `));
    for (const part of [store, `  ${adminTokenFile}\n`, `${url}/docs`]) assert.ok(block.includes(part), part);
    const command = `curl ${url}/api/v1/users -H "Authorization: Bearer $(cat ${adminTokenFile})"`;
    assert.ok(block.includes(`\n  ${command}\n`), block);
  });

  test('the announcement names the .env that was read on a terminal, and no settings file if there is none', () => {
    const started = { url, store, adminTokenFile, hasConsole };
    const block = (file: string | null) => formatAnnouncement({ ...started, settingsFile: file }, true);
    assert.match(block('/srv/frontdesk/.env'), /^ {2}Settings {13}environment and \/srv\/frontdesk\/\.env$/m);
    assert.doesNotMatch(block(null), /Settings/);
  });

  test("the announcement prints a command that a shell runs, also with spaces and quotes in the credential's path", (context) => {
    const directory = mkdtempSync(join(tmpdir(), "frontdesk it's "));
    context.after(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'admin-token');
    writeFileSync(file, 'the-credential\n');
    const command = /^ {2}curl (.*)$/m.exec(
      formatAnnouncement({ url, store, adminTokenFile: file, settingsFile, hasConsole }, true),
    )?.[1];
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' });
    assert.equal(printed, `${url}/api/v1/users\n-H\nAuthorization: Bearer the-credential\n`);
  });
});
