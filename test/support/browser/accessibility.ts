/** Checks pages with axe-core, the rules engine for WCAG. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules whose results depend on the colours of a page. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe finds on the page, each with the HTML of its elements: of all rules, or of those of
 * colours, for a page that was checked in other colours.
 */
export async function axeViolations(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Not as a script element, which the content security policy of the pages forbids. Once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const runOnly = rules === 'all' ? {} : { runOnly: COLOR_RULES };
  // Elements without violations are not described: that takes longer than the checks.
  return page.evaluate(
    async (options) => {
      const results: AxeResults = await (window as unknown as { axe: typeof axe }).axe.run(options);
      return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    { resultTypes: ['violations' as const], ...runOnly },
  );
}
