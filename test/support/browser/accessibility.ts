/** Checks pages with axe-core, the rules engine for WCAG. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns the violations that axe finds on the page, each with the HTML of its elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Not as a script element, which the content security policy of the pages forbids. Once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // Elements without violations are not described: that takes longer than the checks.
    const options = { resultTypes: ['violations' as const] };
    const results: AxeResults = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
