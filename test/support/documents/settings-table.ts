/** The table of settings in docs/configuration.md, which `npm run docs` writes. */
import { DEFINITIONS } from '../../../src/settings/table.ts';

export const SETTINGS_DOCUMENT = 'docs/configuration.md';

const HEADER = '| Name | Default | Run time | Meaning |\n|---|---|---|---|\n';

/** Returns the document with the present table, which is its end. */
export function replaceSettingsTable(document: string): string {
  const rows = [...DEFINITIONS].map(
    ([name, { fallback, standard, format, section, title, meaning, values }]) => {
      const usual = standard ?? (fallback == null ? '–' : `\`${fallback}\``);
      const link = section === undefined ? '' : ` [More](operations.md#${section})`;
      const text = [`**${title}.** ${meaning}`, values].filter((part) => part !== undefined).join(' ');
      return `| \`${name}\` | ${usual} | ${format === undefined ? '' : 'yes'} | ${text}${link} |\n`;
    },
  );
  return document.slice(0, document.indexOf('| Name |')) + HEADER + rows.join('');
}
