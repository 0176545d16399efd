/** The table of settings in docs/configuration.md, which `npm run docs` writes. */
import { DEFINITIONS } from '../../../src/settings/table.ts';

export const SETTINGS_DOCUMENT = 'docs/configuration.md';

const HEADER = '| Name | Default | Run time | Meaning |\n|---|---|---|---|\n';

/** Returns the document with the present table, which is its end. */
export function replaceSettingsTable(document: string): string {
  const rows = [...DEFINITIONS].map(
    ([name, { fallback, standard, format, section, title, meaning, values }]) => {
      const usual = standard ?? (fallback == null ? '–' : `\`${fallback}\``);
      const subject = section === undefined ? title : `[${title}](operations.md#${section})`;
      const text = [`**${subject}.** ${meaning}`, values].filter((part) => part !== undefined).join(' ');
      return `| \`${name}\` | ${usual} | ${format === undefined ? '' : 'yes'} | ${text} |\n`;
    },
  );
  return document.slice(0, document.indexOf('| Name |')) + HEADER + rows.join('');
}
