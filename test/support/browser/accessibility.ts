/** Checks pages with axe-core, the rules engine for WCAG. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const COLORS = ['color-contrast', 'link-in-text-block'];
const SCROLLING = ['scrollable-region-focusable'];
/** The rules whose results depend on the colours of a page, on its size, or on either. */
const RULES = { colors: COLORS, scrolling: SCROLLING, appearance: [...COLORS, ...SCROLLING] } as const;

/**
 * Returns the violations that axe finds on the page, each with the HTML of its elements: of all rules, or of those that
 * depend on its appearance, for a page that was checked in another one.
 */
export async function axeViolations(
  page: Page,
  rules: 'all' | keyof typeof RULES = 'all',
): Promise<string[]> {
  // Not as a script element, which the content security policy of the pages forbids. Once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const runOnly = rules === 'all' ? {} : { runOnly: [...RULES[rules]] };
  // Elements without violations are not described: that takes longer than the checks.
  return page.evaluate(
    async (options) => {
      const results: AxeResults = await (window as unknown as { axe: typeof axe }).axe.run(options);
      return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    { resultTypes: ['violations' as const], ...runOnly },
  );
}
