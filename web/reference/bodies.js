// @ts-check
/** Tables of members, parameters and headers, and the bodies of requests and responses. */
import { breakable, element, mark, prose, some } from './elements.js';
import { limitsOf, memberRows, uniqueRows } from './members.js';
import { shapeOf, typeName } from './schema.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {import('./members.js').Row} Row */

/**
 * Renders a table. Its roles are explicit, because browsers drop them when the style sheet lays the table out as
 * blocks on narrow screens.
 * @param {Json} api
 * @param {Row[]} rows
 * @param {{ caption: string, first: string }} headings caption, and heading of the first column
 */
export function memberTable(api, rows, { caption, first }) {
  const heads = [first, 'Type', 'Description'].map((text) =>
    element('th', { scope: 'col', role: 'columnheader' }, text),
  );
  return element(
    'table',
    { role: 'table' },
    element('caption', {}, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
    element('tbody', { role: 'rowgroup' }, ...rows.map((row) => memberRow(api, row))),
  );
}

function memberRow(/** @type {Json} */ api, /** @type {Row} */ row) {
  const shape = shapeOf(api, row.schema);
  const deprecated = row.deprecated ?? shape.deprecated;
  const name = element('code', {}, ...breakable(row.label));
  const marks = [
    ...mark(row.place, ''),
    ...mark(row.required && 'required', 'required'),
    ...mark(deprecated && 'deprecated', 'deprecated'),
  ];
  const limits = limitsOf(api, row.schema).map((limit) => element('li', {}, limit));
  const type = element('span', { class: 'type' }, typeName(api, row.schema));
  return element(
    'tr',
    { role: 'row', class: deprecated ? 'deprecated' : 'current' },
    element('th', { scope: 'row', role: 'rowheader' }, deprecated ? element('s', {}, name) : name, ...marks),
    element('td', { role: 'cell' }, type, ...some('ul', 'limits', limits)),
    element('td', { role: 'cell' }, ...prose(shape.description)),
  );
}

/** @returns {Node[]} media type, type and members of a body */
export function bodyOf(/** @type {Json} */ api, /** @type {Json} */ content) {
  const [[type, media] = ['', {}], ...others] = Object.entries(content);
  const rows = uniqueRows(memberRows(api, media.schema));
  const line = element('p', { class: 'media' }, element('code', {}, type));
  if (media.schema) line.append(' · ', element('span', { class: 'type' }, typeName(api, media.schema)));
  for (const [other] of others) line.append(' also as ', element('code', {}, other));
  const limits = limitsOf(api, media.schema).map((limit) => element('li', {}, limit));
  const table = rows.length > 0 ? [memberTable(api, rows, { caption: 'Members', first: 'Member' })] : [];
  return type ? [line, ...(rows.length > 0 ? [] : some('ul', 'limits', limits)), ...table] : [];
}

/** Returns the schema of a parameter or header, with the description that OpenAPI puts beside the schema. */
export function described(/** @type {Json} */ { schema, description }) {
  return description ? { ...schema, description } : (schema ?? {});
}
