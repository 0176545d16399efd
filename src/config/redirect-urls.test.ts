import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected, readCurrentSettings } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

describe('URLs to which the pages of links may lead', () => {
  test('APP_URL and REDIRECT_URLS are read in their normal form', () => {
    assert.equal(readCurrentSettings({}).appUrl, null);
    assert.equal(
      readCurrentSettings({ APP_URL: 'https://App.example.com' }).appUrl,
      'https://app.example.com/',
    );
    const REDIRECT_URLS = 'https://shop.example.com/welcome, http://localhost:5173';
    const expected = ['https://shop.example.com/welcome', 'http://localhost:5173/'];
    assert.deepEqual(readConfig({ REDIRECT_URLS }).redirectUrls, expected);
  });

  test('APP_URL and REDIRECT_URLS reject URLs without TLS, with a user or a fragment', () => {
    const wrong = ['app.example.com', 'http://app.example.com', 'https://a@app.example.com', 'https://x/#y'];
    for (const url of wrong) {
      assertRejected('APP_URL', url);
      assertRejected('REDIRECT_URLS', `https://app.example.com,${url}`);
    }
    assertRejected('REDIRECT_URLS', 'https://app.example.com/?x=y');
  });
});
