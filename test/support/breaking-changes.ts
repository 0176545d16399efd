/** What docs/lifecycle.md calls breaking, found between two OpenAPI descriptions of the same version. */
import {
  breakingSchema,
  type Direction,
  type Json,
  resolved,
  type SchemaChange,
} from './breaking-schemas.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Pair {
  readonly where: string;
  readonly before: Json;
  readonly after: Json;
}

/** Gives one sentence per breaking difference; none when every client of `before` can go on. */
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

/** Each way to authenticate as the names of its schemes; a document without a word asks for nothing. */
function waysIn(operation: Json, document: Json): string[] {
  const security: object[] = operation.security ?? document.security ?? [];
  const ways = security.map((way) => Object.keys(way).sort().join('+'));
  return ways.length === 0 ? [''] : ways;
}

/** Every way in that was open has to stay open; what asks for nothing is open to whoever comes. */
function accessChanges(old: Json, now: Json, { where, before, after }: Pair): string[] {
  const ways = waysIn(now, after);
  const isOpen = now.security?.length === 0;
  const closed = isOpen ? [] : waysIn(old, before).filter((way) => !ways.includes(way));
  // A wrong credential, which nobody looked at, would be refused.
  const looked = closed.length === 0 && old['x-access'] === 'public' && now['x-access'] !== 'public';
  return [
    ...closed.map(
      (way) => `${where}: ${way === '' ? 'a credential is needed' : `${way} is not accepted`} now`,
    ),
    ...(looked ? [`${where}: a wrong credential is refused now`] : []),
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

/** Refusals may come and go: clients decide by status and code, and both lists may grow. */
function responseChanges(old: Json, now: Json, pair: Pair): string[] {
  const successes = Object.keys(old).filter((status) => /^[123]/.test(status));
  return successes.flatMap((status) => {
    const where = `${pair.where} → ${status}`;
    if (now[status] === undefined) return [`${where} is gone`];
    const [before, after] = [resolved(pair.before, old[status]), resolved(pair.after, now[status])];
    const names = Object.keys(after.headers ?? {}).map((name) => name.toLowerCase());
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
