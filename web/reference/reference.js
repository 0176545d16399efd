// @ts-check
/**
 * The API reference: reads /openapi.json (OpenAPI 3.1, JSON Schema 2020-12) and draws it.
 * Every text enters the page as a text node, so nothing in the description can become markup.
 */

/** @typedef {Record<string, any>} Json */
/** @typedef {{ id: string, method: string, path: string, details: Json }} Operation */
/** @typedef {{ label: string, schema: any, required?: boolean, place?: string, deprecated?: boolean }} Row */

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const accessTexts = /** @type {Record<string, string>} */ ({
  public: 'Anyone',
  optional: 'Anyone; a credential is read when sent',
  user: 'A signed-in user',
  admin: 'The administrator',
});
const formatSamples = /** @type {Record<string, string>} */ ({
  email: 'ada@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00.000Z',
  uuid: '0198a1c2-7b3d-7e4f-8a5b-6c7d8e9f0a1b',
  uri: 'https://example.com/',
});

// ---- Reading the description -------------------------------------------------------------------------------

/** Follows `$ref` into the document. Members beside `$ref` win (JSON Schema 2020-12, section 8.2.3.1). */
function resolve(/** @type {Json} */ api, /** @type {any} */ value) {
  const followed = new Set();
  let current = value ?? {};
  while (typeof current.$ref === 'string' && !followed.has(current.$ref)) {
    followed.add(current.$ref);
    const { $ref, ...beside } = current;
    current = { ...valueAt(api, $ref), ...beside };
  }
  return current;
}

/** The value at a JSON pointer into the document itself (RFC 6901), or undefined. */
function valueAt(/** @type {Json} */ api, /** @type {string} */ pointer) {
  if (!pointer.startsWith('#/')) return undefined;
  const names = pointer.slice(2).split('/');
  return names.reduce((/** @type {any} */ value, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return Object.hasOwn(value ?? {}, key) ? value[key] : undefined;
  }, api);
}

/**
 * A schema with its references followed and the members of `allOf` drawn together.
 * @param {Json} api
 * @param {any} schema
 * @param {string[]} within references already being followed: a cycle ends there
 * @returns {Json}
 */
function shapeOf(api, schema, within = []) {
  if (within.includes(schema?.$ref)) return {};
  const inside = schema?.$ref ? [...within, schema.$ref] : within;
  const { allOf = [], ...own } = resolve(api, schema);
  const parts = [...allOf.map((/** @type {any} */ part) => shapeOf(api, part, inside)), own];
  const shape = Object.assign({}, ...parts);
  if (parts.some((part) => part.properties)) {
    shape.properties = Object.assign({}, ...parts.map((part) => part.properties));
    shape.required = parts.flatMap((part) => part.required ?? []);
  }
  return shape;
}

/** @returns {any[]} */
function alternativesOf(/** @type {Json} */ shape) {
  return shape.anyOf ?? shape.oneOf ?? [];
}

/** @returns {any[] | undefined} the closed list of values, however it is written */
function choicesOf(/** @type {Json} */ shape) {
  const alternatives = alternativesOf(shape);
  if (shape.enum) return shape.enum;
  if (Object.hasOwn(shape, 'const')) return [shape.const];
  if (alternatives.length > 0 && alternatives.every((each) => Object.hasOwn(each, 'const'))) {
    return alternatives.map((each) => each.const);
  }
  return undefined;
}

function componentName(/** @type {any} */ schema) {
  return schema?.$ref?.startsWith('#/components/schemas/') ? schema.$ref.split('/').at(-1) : undefined;
}

/** @returns {string} the type in words: `string (email) or null`, `array of Field` */
function typeName(/** @type {Json} */ api, /** @type {any} */ schema, depth = 0) {
  const shape = shapeOf(api, schema);
  const choices = choicesOf(shape);
  const alternatives = alternativesOf(shape);
  if (!choices && alternatives.length > 0 && depth < 4) {
    return [...new Set(alternatives.map((each) => typeName(api, each, depth + 1)))].join(' or ');
  }
  const types = shape.type ?? choices?.map(jsonType) ?? (shape.properties ? 'object' : 'any');
  return [...new Set([types].flat())]
    .map((type) => oneTypeName(api, schema, shape, type, depth))
    .join(' or ');
}

/** @returns {string} */
function oneTypeName(
  /** @type {Json} */ api,
  /** @type {any} */ schema,
  /** @type {Json} */ shape,
  /** @type {string} */ type,
  /** @type {number} */ depth,
) {
  if (type === 'array' && shape.items && depth < 4)
    return `array of ${typeName(api, shape.items, depth + 1)}`;
  if (type === 'object') return componentName(schema) ?? shape.title ?? (isMap(shape) ? 'map' : 'object');
  return type === 'string' && shape.format ? `string (${shape.format})` : type;
}

function jsonType(/** @type {any} */ value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isMap(/** @type {Json} */ shape) {
  return !shape.properties && typeof shape.additionalProperties === 'object';
}

/** @returns {string[]} the limits of a value, each as a short phrase */
function limitsOf(/** @type {Json} */ api, /** @type {any} */ schema, depth = 0) {
  const shape = shapeOf(api, schema);
  const choices = choicesOf(shape);
  const inner =
    choices || depth > 3 ? [] : alternativesOf(shape).flatMap((each) => limitsOf(api, each, depth + 1));
  const items = shape.items && depth < 3 ? limitsOf(api, shape.items, depth + 1) : [];
  return [
    choices &&
      `${choices.length === 1 ? 'always' : 'one of'} ${choices.map((each) => JSON.stringify(each)).join(', ')}`,
    range(shape.minLength, shape.maxLength, ' character'),
    range(shape.minItems, shape.maxItems, ' item'),
    range(shape.minProperties, shape.maxProperties, ' member'),
    range(shape.minimum, shape.maximum, ''),
    shape.exclusiveMinimum !== undefined && `more than ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum !== undefined && `less than ${shape.exclusiveMaximum}`,
    shape.pattern && `pattern ${shape.pattern}`,
    shape.uniqueItems && 'no item twice',
    Object.hasOwn(shape, 'default') && `default ${JSON.stringify(shape.default)}`,
    shape.readOnly && 'read only',
    shape.writeOnly && 'write only',
    ...inner,
    ...items.map((limit) => `each: ${limit}`),
  ].filter((limit) => typeof limit === 'string');
}

/** @returns {string | false} */
function range(/** @type {number | undefined} */ least, /** @type {number | undefined} */ most, unit = '') {
  if (least === undefined && most === undefined) return false;
  const units = unit && (most ?? least) !== 1 ? `${unit}s` : unit;
  if (least === most) return `exactly ${least}${units}`;
  if (most === undefined) return `at least ${least}${units}`;
  return least === undefined ? `at most ${most}${units}` : `${least} to ${most}${units}`;
}

/**
 * Every member of a schema, nested ones under their path (`fields[].label`).
 * @param {Json} api
 * @param {any} schema
 * @param {string} prefix
 * @param {string[]} within
 * @returns {Generator<Row>}
 */
function* memberRows(api, schema, prefix = '', within = []) {
  if (within.includes(schema?.$ref) || within.length > 6) return;
  const inside = [...within, schema?.$ref ?? ''];
  const shape = shapeOf(api, schema);
  if (shape.items) yield* memberRows(api, shape.items, `${prefix}[]`, inside);
  if (isMap(shape)) yield* memberRows(api, shape.additionalProperties, `${prefix}{name}`, inside);
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    const label = prefix ? `${prefix}.${name}` : name;
    yield { label, schema: member, required: (shape.required ?? []).includes(name) };
    yield* memberRows(api, member, label, inside);
  }
  for (const each of alternativesOf(shape)) yield* memberRows(api, each, prefix, inside);
}

/** @returns {any} a value that fits: what the schema itself shows, or one made from its types */
function sampleOf(/** @type {Json} */ api, /** @type {any} */ schema, /** @type {string[]} */ within = []) {
  if (within.includes(schema?.$ref) || within.length > 6) return undefined;
  const inside = [...within, schema?.$ref ?? ''];
  const shape = shapeOf(api, schema);
  const shown = [shape.example, shape.examples?.[0], shape.default, choicesOf(shape)?.[0]];
  const given = shown.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const [alternative] = alternativesOf(shape);
  if (alternative) return sampleOf(api, alternative, inside) ?? null;
  if (shape.properties) {
    const members = Object.entries(shape.properties).filter(([, member]) => !resolve(api, member).deprecated);
    const samples = members.map(([name, member]) => [name, sampleOf(api, member, inside)]);
    return Object.fromEntries(samples.filter(([, sample]) => sample !== undefined));
  }
  if (shape.items) return [sampleOf(api, shape.items, inside)].filter((sample) => sample !== undefined);
  return plainSample(shape);
}

function plainSample(/** @type {Json} */ shape) {
  const type = [shape.type].flat()[0];
  if (type === 'string') return formatSamples[shape.format] ?? 'text';
  if (type === 'integer' || type === 'number') return shape.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : null;
}

/** @returns {[string, Json][]} the named examples of a media type; one without a name is called '' */
function examplesOf(/** @type {Json} */ api, /** @type {Json} */ media) {
  if (Object.hasOwn(media, 'example')) return [['', { value: media.example }]];
  const named = Object.entries(media.examples ?? {});
  if (named.length > 0) return named.map(([name, example]) => [name, resolve(api, example)]);
  return media.schema ? [['', { value: sampleOf(api, media.schema) }]] : [];
}

/** @returns {Operation[]} */
function operationsOf(/** @type {Json} */ api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, reference]) => {
    const item = resolve(api, reference);
    return methods
      .filter((method) => item[method])
      .map((method) => {
        const details = { ...item[method], parameters: parametersOf(api, item, item[method]) };
        return {
          id: details.operationId ?? `${method}-${path}`,
          method: method.toUpperCase(),
          path,
          details,
        };
      });
  });
}

/** Parameters of the path stand for all its operations; an operation may replace one (OpenAPI 3.1, 4.8.9.1). */
function parametersOf(/** @type {Json} */ api, /** @type {Json} */ item, /** @type {Json} */ operation) {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => resolve(api, each));
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

/** @returns {string} public, optional, user or admin */
function accessOf(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  if (Object.hasOwn(accessTexts, details['x-access'] ?? '')) return details['x-access'];
  const security = details.security ?? api.security ?? [];
  if (security.length === 0) return 'public';
  if (security.some((/** @type {Json} */ each) => Object.keys(each).length === 0)) return 'optional';
  return security.every((/** @type {Json} */ each) => /admin/i.test(Object.keys(each).join()))
    ? 'admin'
    : 'user';
}

/** @returns {Map<string, Operation[]>} in the order of the document's own tags */
function groupsOf(/** @type {Json} */ api, /** @type {Operation[]} */ operations) {
  /** @type {Map<string, Operation[]>} */
  const groups = new Map((api.tags ?? []).map((/** @type {Json} */ tag) => [tag.name, []]));
  for (const operation of operations) {
    const tag = operation.details.tags?.[0] ?? 'Other';
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  return new Map([...groups].filter(([, members]) => members.length > 0));
}

// ---- A call as a curl line ---------------------------------------------------------------------------------

/** @returns {string} a line for a POSIX shell; credentials are taken from variables, never shown */
function curlLine(/** @type {Json} */ api, /** @type {Operation} */ operation) {
  const access = accessOf(api, operation);
  const [body] = requestExamples(api, operation);
  const credential = access === 'admin' ? 'ADMIN_TOKEN' : 'ACCESS_TOKEN';
  const headers = operation.details.parameters.filter(
    (/** @type {Json} */ each) =>
      each.in === 'header' && each.required && !/^(authorization|content-type)$/i.test(each.name),
  );
  return [
    `curl ${methodOption(operation.method)}${quoted(addressOf(api, operation))}`,
    ...(access === 'user' || access === 'admin' ? [`-H "Authorization: Bearer $${credential}"`] : []),
    ...headers.map(
      (/** @type {Json} */ each) => `-H ${quoted(`${each.name}: ${parameterSample(api, each)}`)}`,
    ),
    ...(body ? [`-H ${quoted(`Content-Type: ${body.type}`)}`, `-d ${quoted(body.text)}`] : []),
  ].join(' \\\n  ');
}

function methodOption(/** @type {string} */ method) {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

function quoted(/** @type {string} */ text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function parameterSample(/** @type {Json} */ api, /** @type {Json} */ parameter) {
  const [first] = examplesOf(api, parameter);
  const value = first?.[1].value ?? `<${parameter.name}>`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @returns {string} the whole address, with the example's path and the required query parameters */
function addressOf(/** @type {Json} */ api, /** @type {Operation} */ { path, details }) {
  const base = new URL(api.servers?.[0]?.url ?? '/', location.href).href.replace(/\/$/, '');
  /** @type {Json[]} */
  const parameters = details.parameters;
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(parameterSample(api, parameter ?? { name }));
  });
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(parameterSample(api, each))}`);
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** @returns {{ type: string, label: string, text: string }[]} */
function requestExamples(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  const [type, media] = Object.entries(resolve(api, details.requestBody).content ?? {})[0] ?? [];
  if (!type) return [];
  return examplesOf(api, media).map(([name, example]) => ({
    type,
    label: name ? `Request body: ${name}` : 'Request body',
    text: written(example.value),
  }));
}

function written(/** @type {any} */ value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

// ---- Drawing -----------------------------------------------------------------------------------------------

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children strings become text nodes
 */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The little of CommonMark that descriptions use: paragraphs, lists, `code`, **strong** and links. */
function prose(/** @type {string | undefined} */ text) {
  const blocks = (text ?? '')
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean);
  return blocks.map((block) => {
    const items = block.split(/^\s*[-*] /m);
    if (items.length === 1) return element('p', {}, ...inline(block));
    const [lead = '', ...rest] = items;
    const list = element('ul', {}, ...rest.map((item) => element('li', {}, ...inline(item))));
    return lead.trim() ? element('div', {}, element('p', {}, ...inline(lead)), list) : list;
  });
}

/** @returns {(Node | string)[]} */
function inline(/** @type {string} */ text) {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|\/|#)[^)\s]*\))/);
  return pieces.filter(Boolean).map((piece) => {
    const link = /^\[(.+)\]\((.+)\)$/s.exec(piece);
    if (link?.[1] && link[2]) return element('a', { href: link[2] }, link[1]);
    if (/^`.+`$/s.test(piece)) return element('code', {}, piece.slice(1, -1));
    return /^\*\*.+\*\*$/s.test(piece) ? element('strong', {}, piece.slice(2, -2)) : piece;
  });
}

/**
 * Roles are written out: browsers drop a table's own when the sheet lays it out as blocks on narrow screens.
 * @param {string} caption
 * @param {string} first what the first column names
 * @param {Row[]} rows
 */
function memberTable(/** @type {Json} */ api, caption, first, rows) {
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

/** @returns {(Node | string)[]} a small word after a name, or nothing */
function mark(/** @type {string | false | undefined} */ text, /** @type {string} */ kind) {
  return text ? [' ', element('span', { class: `mark ${kind}` }, text)] : [];
}

/** @param {keyof HTMLElementTagNameMap} tag @param {Node[]} children */
function some(tag, /** @type {string} */ name, children) {
  return children.length > 0 ? [element(tag, { class: name }, ...children)] : [];
}

/** @returns {Node[]} what a body is: its media type, its type, its members */
function bodyOf(/** @type {Json} */ api, /** @type {Json} */ content) {
  const [[type, media] = ['', {}], ...others] = Object.entries(content);
  const rows = uniqueRows(memberRows(api, media.schema));
  const line = element('p', { class: 'media' }, element('code', {}, type));
  if (media.schema) line.append(' · ', element('span', { class: 'type' }, typeName(api, media.schema)));
  for (const [other] of others) line.append(' also as ', element('code', {}, other));
  const limits = limitsOf(api, media.schema).map((limit) => element('li', {}, limit));
  const table = rows.length > 0 ? [memberTable(api, 'Members', 'Member', rows)] : [];
  return type ? [line, ...(rows.length > 0 ? [] : some('ul', 'limits', limits)), ...table] : [];
}

/** Alternatives often share members: one row each is enough when name and schema are the same. */
function uniqueRows(/** @type {Iterable<Row>} */ rows) {
  return [...new Map([...rows].map((row) => [JSON.stringify([row.label, row.schema]), row])).values()];
}

function codeBlock(/** @type {string} */ label, /** @type {string} */ text) {
  const code = element('code', {}, text);
  const copy = element('button', { type: 'button', 'aria-label': `Copy: ${label}` }, 'Copy');
  copy.addEventListener('click', () => copyText(code, text));
  const head = element('figcaption', {}, element('span', {}, label), copy);
  // Long lines scroll inside: focusable, so that the keyboard can do it too.
  const block = element('pre', { tabindex: '0', 'aria-label': label, role: 'group' }, code);
  return element('figure', { class: 'code' }, head, block);
}

/** The clipboard needs a secure context; without one the text is selected, ready to be copied by hand. */
async function copyText(/** @type {HTMLElement} */ code, /** @type {string} */ text) {
  const status = /** @type {HTMLElement} */ (document.getElementById('reference-status'));
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    status.textContent = 'Selected: copy it with the keyboard';
  }
  setTimeout(() => {
    status.textContent = '';
  }, 3000);
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
    ? [element('h4', {}, 'Parameters'), memberTable(api, 'Parameters', 'Parameter', rows)]
    : [];
}

/** A parameter or header keeps its description outside its schema. */
function described(/** @type {Json} */ { schema, description }) {
  return description ? { ...schema, description } : (schema ?? {});
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
  const refused = !/^[123]/.test(status);
  const media = Object.values(response.content ?? {})[0] ?? {};
  const examples = examplesOf(api, media);
  const codes = refused ? examples.flatMap(([name]) => (name ? [element('code', {}, name)] : [])) : [];
  const summary = element(
    'summary',
    {},
    element('span', { class: `code-number ${refused ? 'refused' : 'fine'}` }, status),
    element('span', { class: 'phrase' }, ...inline(response.description ?? '')),
    ...some('span', 'codes', codes),
  );
  const headers = Object.entries(response.headers ?? {}).map(([label, header]) => {
    const { required, deprecated, ...rest } = resolve(api, header);
    return { label, required, deprecated, schema: described(rest) };
  });
  const details = element('details', { class: 'response' }, summary, ...bodyOf(api, response.content ?? {}));
  if (headers.length > 0) details.append(memberTable(api, 'Headers', 'Header', headers));
  details.append(...examples.flatMap(([name, example]) => exampleOf(name, example, refused)));
  if (!response.content && headers.length === 0) details.append(element('p', {}, 'No body.'));
  details.open = !refused;
  return details;
}

/** A named example of a refusal is its stable code: it leads to what a client does about it. */
function exampleOf(/** @type {string} */ name, /** @type {Json} */ example, /** @type {boolean} */ refused) {
  const block = codeBlock(name ? `Example: ${name}` : 'Example', written(example.value));
  if (!name || !refused) return [...prose(example.summary), block];
  const link = element(
    'a',
    { href: `/docs/problems#${encodeURIComponent(name)}` },
    element('code', {}, name),
  );
  return [element('p', { class: 'problem' }, link, ' ', ...inline(example.summary ?? '')), block];
}

function operationSection(/** @type {Json} */ api, /** @type {Operation} */ operation) {
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

function badge(/** @type {string} */ method) {
  return element('span', { class: `method ${method.toLowerCase()}` }, method);
}

/** Long paths and member names break at their joints, not inside a name. */
function breakable(/** @type {string} */ path) {
  return path.split(/(?<=[/.])/).flatMap((part) => [part, element('wbr')]);
}

function navigation(/** @type {Map<string, Operation[]>} */ groups) {
  const blocks = [...groups].map(([tag, operations], index) => {
    const links = operations.map(({ id, method, path, details }) => {
      const link = element('a', { href: `#${id}`, title: details.summary ?? id }, badge(method), ' ');
      link.append(element('span', { class: 'path' }, ...breakable(path)));
      return element('li', {}, link);
    });
    const heading = element('a', { href: `#tag-${index}`, class: 'tag' }, tag);
    return element('li', {}, heading, element('ul', {}, ...links));
  });
  return element('details', {}, element('summary', {}, 'Operations'), element('ul', {}, ...blocks));
}

function drawDescription(/** @type {Json} */ api) {
  const groups = groupsOf(api, operationsOf(api));
  const title = api.info?.title ?? 'API reference';
  const version = element(
    'p',
    { class: 'version' },
    `Version ${api.info?.version ?? 'unknown'} · OpenAPI ${api.openapi}`,
  );
  const introduction = element('div', { class: 'introduction' }, ...prose(api.info?.description));
  const sections = [...groups].map(([tag, operations], index) => {
    const about = api.tags?.find((/** @type {Json} */ each) => each.name === tag)?.description;
    const heading = element('h2', { id: `tag-${index}`, tabindex: '-1' }, tag);
    const drawn = operations.map((operation) => operationSection(api, operation));
    return element('div', { class: 'group' }, heading, ...prose(about), ...drawn);
  });
  document.title = title;
  contentArea().replaceChildren(element('h1', {}, title), version, introduction, ...sections);
  drawNavigation(groups);
}

function contentArea() {
  return /** @type {HTMLElement} */ (document.getElementById('reference-content'));
}

function drawNavigation(/** @type {Map<string, Operation[]>} */ groups) {
  const menu = navigation(groups);
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', follow);
  follow();
  menu.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') && !wide.matches) menu.open = false;
  });
  document.getElementById('reference-navigation')?.replaceChildren(menu);
  markCurrent(menu);
}

/** Marks, while the reader scrolls, the operation at the top of the window. */
function markCurrent(/** @type {HTMLElement} */ menu) {
  const links = new Map([...menu.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        for (const link of links.values()) link.removeAttribute('aria-current');
        links.get(`#${entry.target.id}`)?.setAttribute('aria-current', 'true');
      }
    },
    { rootMargin: '-15% 0px -80% 0px' },
  );
  for (const section of document.querySelectorAll('.operation')) observer.observe(section);
}

function drawFailure(/** @type {unknown} */ reason) {
  const retry = element('button', { type: 'button' }, 'Try again');
  retry.addEventListener('click', () => location.reload());
  const message = element(
    'div',
    { class: 'notice failure', role: 'alert' },
    element('h1', {}, 'The description of the API could not be read'),
    element(
      'p',
      {},
      'This page draws ',
      element('a', { href: '/openapi.json' }, '/openapi.json'),
      ', which did not arrive.',
    ),
    element('p', {}, `The reason: ${reason instanceof Error ? reason.message : String(reason)}`),
    retry,
  );
  contentArea().replaceChildren(message);
}

async function readDescription() {
  const response = await fetch('/openapi.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const api = await response.json();
  if (typeof api?.paths !== 'object') throw new Error('the answer is not an OpenAPI document');
  return api;
}

try {
  drawDescription(await readDescription());
  // The target did not exist while the page loaded: going there again scrolls to it and moves the focus.
  if (location.hash) location.replace(location.hash);
} catch (error) {
  drawFailure(error);
}
