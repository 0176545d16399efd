// @ts-check
/** Generates curl commands for operations. */
import { accessOf } from './operations.js';
import { examplesOf, requestExamples } from './samples.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {import('./operations.js').Operation} Operation */

/** @returns {string} a command for a POSIX shell, with the credential in a variable */
export function curlLine(/** @type {Json} */ api, /** @type {Operation} */ operation) {
  const access = accessOf(api, operation);
  const [body] = requestExamples(api, operation);
  const credential = access === 'admin' ? 'ADMIN_TOKEN' : 'ACCESS_TOKEN';
  const headers = operation.details.parameters.filter(
    (/** @type {Json} */ each) =>
      each.in === 'header' && each.required && !/^(authorization|content-type)$/i.test(each.name),
  );
  return [
    `curl ${methodOption(operation.method)}${quoted(urlOf(api, operation))}`,
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

/** @returns {string} the full URL, with sample values of path and required query parameters */
function urlOf(/** @type {Json} */ api, /** @type {Operation} */ { path, details }) {
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
