/** The way of a person who comes from an application: all links and forms of pages keep it. */
import assert from 'node:assert/strict';
import type { ApiResponse } from '../api.ts';
import { authorization, createApplication } from '../applications.ts';
import type { TestService } from '../service.ts';
import type { TestBrowser } from '../upstream/sign-in.ts';

/** Ends that are no pages, and the console, which has no language. */
const OTHERS = /^(?:#|\/(?:account\/export|console|docs)\b|https?:)/;

/** Creates an application, and the way of a person who comes from it and has chosen German. */
export async function createWay(service: TestService) {
  const name = `Portal ${Math.trunc(performance.now() * 1_000)}`;
  const application = await createApplication(service, { name });
  const returnTo = `/oauth/authorize?${authorization(application, { ui_locales: 'fr de' })}`;
  const query = new URLSearchParams({ return_to: returnTo, lang: 'de' });

  /** Asserts that a URL of this service leads to the application, in a language. Links of pages have it beside `return_to`. */
  function assertKept(url: string, about: string, lang = 'de'): void {
    const { pathname, searchParams } = new URL(url, 'http://frontdesk.invalid');
    const name = pathname === '/oauth/authorize' ? 'ui_locales' : 'lang';
    assert.equal(searchParams.get(name), lang, `${about}: ${url}`);
    assertEnd(url, `${about}: ${url}`);
  }

  function assertEnd(url: string, about: string): void {
    const { pathname, searchParams } = new URL(url, 'http://frontdesk.invalid');
    const next = searchParams.get('return_to');
    const found = [pathname, searchParams.get('client_id'), searchParams.get('state')];
    if (next === null) assert.deepEqual(found, ['/oauth/authorize', application.id, 'the state'], about);
    else if (next !== '/account') assertEnd(next, about);
  }

  /** Asserts that all links and forms of a page lead to the application, in German, and that the page names it. */
  function assertPage({ text, status }: ApiResponse, about: string): void {
    assert.match(text, /<html lang="de"/, `${about}: ${status}`);
    assert.ok(text.includes(name), `${about} does not name the application: ${text}`);
    const targets = [
      ...text.matchAll(/<(a|form|button)\b[^>]*? (?:href|action|formaction)="([^"]*)"([^>]*)>/g),
    ];
    for (const [, , escaped, rest] of targets) {
      const url = escaped!.replaceAll('&amp;', '&');
      const [, lang = 'de'] = /hreflang="(\w+)"/.exec(rest!) ?? [];
      if (url !== '' && !OTHERS.test(url)) assertKept(url, about, lang);
    }
  }

  return {
    name,
    returnTo,
    /** Adds the way to a path. */
    add: (path: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`,
    assertKept,
    /** Asserts the same of the page of a response, also behind a redirect. */
    async assertOutcome(browser: TestBrowser, response: ApiResponse, about: string): Promise<ApiResponse> {
      const location = response.headers.get('location');
      if (location === null) {
        assertPage(response, about);
        return response;
      }
      // A provider returns what the service has stored.
      if (location.startsWith('http:')) return response;
      assertKept(location, about);
      if (location.startsWith('/oauth/authorize')) return response;
      return this.assertOutcome(browser, await browser.get(location), `${about} → ${location}`);
    },
  };
}
