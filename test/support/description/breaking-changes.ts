/** Finds the changes that docs/lifecycle.md calls breaking between two OpenAPI descriptions of the same version. */
import { breakingSchema, type Direction, type SchemaChange } from './breaking-schemas.ts';
import { type Json, resolved } from './json-reference.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Pair {
  readonly where: string;
  readonly before: Json;
  readonly after: Json;
}

/** Returns one sentence per breaking difference; none when every client of `before` keeps working. */
export function breakingChanges(before: Json, after: Json): string[] {
  return Object.entries<Json>(before.paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method] !== undefined).flatMap((method) => {
      const where = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) return [`${where} is gone`];
      return operationChanges(operations[method], now, { where, before, after });
    }),
  );
}

function operationChanges(old: Json, now: Json, pair: Pair): string[] {
  return [
    ...accessChanges(old, now, pair),
    ...parameterChanges(old.parameters ?? [], now.parameters ?? [], pair),
    ...bodyChanges(old.requestBody, now.requestBody, pair),
    ...responseChanges(old.responses, now.responses, pair),
  ];
}

/** Returns each alternative of `security` as the names of its schemes; '' is access without a credential. */
function alternatives(operation: Json, document: Json): string[] {
  const security: object[] = operation.security ?? document.security ?? [];
  const names = security.map((alternative) => Object.keys(alternative).sort().join('+'));
  return names.length === 0 ? [''] : names;
}

/** Every credential that was accepted must stay accepted; an operation without security accepts every request. */
function accessChanges(old: Json, now: Json, { where, before, after }: Pair): string[] {
  const accepted = alternatives(now, after);
  const isOpen = now.security?.length === 0;
  const closed = isOpen ? [] : alternatives(old, before).filter((each) => !accepted.includes(each));
  // A wrong credential was ignored before, and would be rejected now.
  const isRead = closed.length === 0 && old['x-access'] === 'public' && now['x-access'] !== 'public';
  return [
    ...closed.map(
      (each) => `${where}: ${each === '' ? 'a credential is required' : `${each} is not accepted`} now`,
    ),
    ...(isRead ? [`${where}: a wrong credential is rejected now`] : []),
  ];
}

const isSame = (one: Json, other: Json) =>
  one.in === other.in &&
  (one.in === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name);

function parameterChanges(old: Json[], now: Json[], pair: Pair): string[] {
  const before = old.map((parameter) => resolved(pair.before, parameter));
  const after = now.map((parameter) => resolved(pair.after, parameter));
  const name = (parameter: Json) => `${pair.where}, ${parameter.in} parameter ${parameter.name}`;
  const gone = before.filter((one) => !after.some((other) => isSame(one, other)));
  const kept = after.map((parameter) => ({ parameter, was: before.find((one) => isSame(one, parameter)) }));
  const demanded = kept.filter(({ parameter, was }) => parameter.required === true && was?.required !== true);
  return [
    ...gone.map((parameter) => `${name(parameter)} is gone`),
    ...demanded.map(({ parameter }) => `${name(parameter)} is required now`),
    ...kept.flatMap(({ parameter, was }) =>
      was === undefined
        ? []
        : breakingSchema(was.schema, parameter.schema, schemaChange('request', name(parameter), pair)),
    ),
  ];
}

function bodyChanges(old: Json, now: Json, pair: Pair): string[] {
  const [before, after] = [resolved(pair.before, old), resolved(pair.after, now)];
  const where = `${pair.where}, body`;
  if (after === undefined) return before === undefined ? [] : [`${where} is gone`];
  const demanded = after.required === true && before?.required !== true ? [`${where} is required now`] : [];
  if (before === undefined) return demanded;
  return [...demanded, ...contentChanges('request', before.content, after.content, { ...pair, where })];
}

/** Compares successful responses only: error responses may be added and removed, as clients decide by status and code. */
function responseChanges(old: Json, now: Json, pair: Pair): string[] {
  const successes = Object.keys(old).filter((status) => /^[123]/.test(status));
  return successes.flatMap((status) => {
    const where = `${pair.where} → ${status}`;
    if (now[status] === undefined) return [`${where} is gone`];
    const [before, after] = [resolved(pair.before, old[status]), resolved(pair.after, now[status])];
    const present = { ...pair.after['x-common-headers'], ...after.headers };
    const names = Object.keys(present).map((name) => name.toLowerCase());
    const headers = Object.keys(before.headers ?? {}).filter((name) => !names.includes(name.toLowerCase()));
    return [
      ...headers.map((name) => `${where}, header ${name} is gone`),
      ...contentChanges('response', before.content ?? {}, after.content ?? {}, { ...pair, where }),
    ];
  });
}

function contentChanges(direction: Direction, old: Json, now: Json, pair: Pair): string[] {
  return Object.keys(old).flatMap((mediaType) => {
    if (now[mediaType] === undefined) return [`${pair.where} as ${mediaType} is gone`];
    const [before, after] = [old[mediaType].schema, now[mediaType].schema];
    return breakingSchema(before, after, schemaChange(direction, pair.where, pair));
  });
}

function schemaChange(direction: Direction, where: string, { before, after }: Pair): SchemaChange {
  return { direction, where, before, after };
}
