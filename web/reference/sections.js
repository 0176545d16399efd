// @ts-check
/** Renders the section of one operation. */
import { bodyOf, described, memberTable } from './bodies.js';
import { curlLine } from './curl.js';
import { badge, breakable, codeBlock, element, inline, mark, prose, some } from './elements.js';
import { accessOf, accessTexts } from './operations.js';
import { examplesOf, formatted, requestExamples } from './samples.js';
import { resolve } from './schema.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {import('./operations.js').Operation} Operation */

export function operationSection(/** @type {Json} */ api, /** @type {Operation} */ operation) {
  const { id, method, path, details } = operation;
  const titleId = `title-of-${id}`;
  const bodies = requestExamples(api, operation).map(({ label, text }) => codeBlock(label, text));
  const deprecated = mark(details.deprecated && 'deprecated', 'deprecated');
  return element(
    'section',
    { id, class: 'operation', tabindex: '-1', 'aria-labelledby': titleId },
    element('h3', { id: titleId }, element('a', { href: `#${id}` }, details.summary ?? id), ...deprecated),
    element(
      'p',
      { class: 'line' },
      badge(method),
      ' ',
      element('code', { class: 'path' }, ...breakable(path)),
    ),
    element('div', { class: 'prose' }, ...prose(details.description), accessLine(api, operation)),
    element('div', { class: 'examples' }, codeBlock('curl', curlLine(api, operation)), ...bodies),
    element(
      'div',
      { class: 'detail' },
      ...parameterSection(api, operation),
      ...requestSection(api, operation),
      ...responseSection(api, operation),
    ),
  );
}

function accessLine(/** @type {Json} */ api, /** @type {Operation} */ operation) {
  const access = accessOf(api, operation);
  const line = element(
    'p',
    { class: `access ${access}` },
    'May call: ',
    element('strong', {}, accessTexts[access] ?? access),
  );
  for (const requirement of operation.details.security ?? api.security ?? []) {
    for (const [name, scopes] of Object.entries(requirement)) {
      const scheme = resolve(api, api.components?.securitySchemes?.[name]);
      const kind = [scheme.type, scheme.scheme].filter(Boolean).join(' ');
      line.append(' · ', element('code', {}, name), kind ? ` (${kind})` : '');
      if (scopes.length > 0) line.append(` with scope ${scopes.join(', ')}`);
    }
  }
  return line;
}

/** @returns {Node[]} */
function parameterSection(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  const rows = details.parameters.map((/** @type {Json} */ each) => ({
    label: each.name,
    place: each.in,
    required: each.required,
    deprecated: each.deprecated,
    schema: described(each),
  }));
  return rows.length > 0
    ? [element('h4', {}, 'Parameters'), memberTable(api, rows, { caption: 'Parameters', first: 'Parameter' })]
    : [];
}

/** @returns {Node[]} */
function requestSection(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  if (!details.requestBody) return [];
  const body = resolve(api, details.requestBody);
  const heading = element('h4', {}, 'Request body', ...mark(body.required && 'required', 'required'));
  return [heading, ...prose(body.description), ...bodyOf(api, body.content ?? {})];
}

/** @returns {Node[]} */
function responseSection(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  const responses = Object.entries(details.responses ?? {});
  if (responses.length === 0) return [];
  return [
    element('h4', {}, 'Responses'),
    ...responses.map(([status, each]) => responseOf(api, status, resolve(api, each))),
  ];
}

function responseOf(/** @type {Json} */ api, /** @type {string} */ status, /** @type {Json} */ response) {
  const isError = !/^[123]/.test(status);
  const { description = '' } = response;
  const media = Object.values(response.content ?? {})[0] ?? {};
  const examples = examplesOf(api, media);
  // Codes that the description names already are not listed again.
  const unlisted = examples.filter(([name]) => isError && name && !description.includes(`\`${name}\``));
  const codes = unlisted.map(([name]) => element('code', {}, name));
  const summary = element(
    'summary',
    {},
    element('span', { class: `code-number ${isError ? 'error' : 'success'}` }, status),
    element('span', { class: 'phrase' }, ...inline(description)),
    ...some('span', 'codes', codes),
  );
  const headers = Object.entries(response.headers ?? {}).map(([label, header]) => {
    const { required, deprecated, ...rest } = resolve(api, header);
    return { label, required, deprecated, schema: described(rest) };
  });
  const details = element('details', { class: 'response' }, summary, ...bodyOf(api, response.content ?? {}));
  if (headers.length > 0) details.append(memberTable(api, headers, { caption: 'Headers', first: 'Header' }));
  details.append(...examples.flatMap(([name, example]) => exampleOf(name, example, isError)));
  if (!response.content && headers.length === 0) details.append(element('p', {}, 'No body.'));
  details.open = !isError;
  return details;
}

/** Renders an example. The name of an error example is its code, which links to the documentation of the code. */
function exampleOf(/** @type {string} */ name, /** @type {Json} */ example, /** @type {boolean} */ isError) {
  const block = codeBlock(name ? `Example: ${name}` : 'Example', formatted(example.value));
  if (!name || !isError) return [...prose(example.summary), block];
  const link = element(
    'a',
    { href: `/docs/problems#${encodeURIComponent(name)}` },
    element('code', {}, name),
  );
  return [element('p', { class: 'problem' }, link, ' ', ...inline(example.summary ?? '')), block];
}
