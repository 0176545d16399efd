import { after, before, describe, test } from 'node:test';
import { startDelayedConnections } from '../../../../test/support/browser/delayed-connections.ts';
import { hasFirefox, startFirefox } from '../../../../test/support/browser/firefox.ts';
import { type PersonBrowser, startChromium } from '../../../../test/support/browser/person-pages.ts';
import { FORMS, PRESSES, sendTwice } from '../../../../test/support/browser/second-presses.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { WITH_CODES } from '../../../../test/support/mailed-codes.ts';
import { useService } from '../../../../test/support/service.ts';

const LATENCIES = [30, 100, 300];
const CHROMIUM = { name: 'Chromium', start: startChromium, concurrency: 4, latencies: LATENCIES };
/** It types into one page at a time. */
const FIREFOX = {
  ...{ name: 'Firefox', start: startFirefox, concurrency: 1, latencies: LATENCIES },
  skip: hasFirefox ? false : 'firefox-esr is not installed',
};
const BROWSERS = [
  { ...CHROMIUM, hasJavaScript: true },
  { ...CHROMIUM, hasJavaScript: false },
  { ...FIREFOX, hasJavaScript: true },
  { ...FIREFOX, hasJavaScript: false, latencies: [100] },
];

for (const { name, start, hasJavaScript, latencies, ...options } of BROWSERS)
  describe(
    `forms that are sent twice in ${name} with JavaScript ${hasJavaScript ? 'on' : 'off'}`,
    options,
    () => {
      const clock = manualClock(Date.now());
      const service = useService('sqlite', { clock, environment: WITH_CODES });
      let browser: PersonBrowser;
      before(async () => {
        browser = await start(hasJavaScript);
      });
      after(() => browser.close());

      for (const latency of latencies)
        for (const [form, openForm] of Object.entries(FORMS))
          for (const press of Object.keys(PRESSES))
            test(`${form} acts once, and leads to one page, after ${press}, a reload, and Back with another press, at a latency of ${latency} ms`, async (context) => {
              const url = await startDelayedConnections(context, service.api.url, latency);
              await sendTwice(await browser.newPage(), { service, clock, url }, { openForm, press });
            });
    },
  );
