/** The responses that a route describes itself. */
import type { ResponseDescription, Route } from '../../http/route.ts';
import { describedHeaders, headerRefs, successHeaders } from './headers.ts';
import { type Json, toOpenApiSchema } from './json.ts';

/** Returns the route's own responses by status. */
export function successResponses(route: Route): Json {
  const entries = Object.entries(route.responses);
  return Object.fromEntries(entries.map(([status, response]) => [status, success(route, response)]));
}

function success(route: Route, { description, schema, headers = {}, examples }: ResponseDescription): Json {
  const mediaType = route.mediaType ?? 'application/json';
  const content = { schema: toOpenApiSchema(schema), ...namedExamples(examples) };
  return {
    description,
    headers: { ...headerRefs(successHeaders(route)), ...describedHeaders(headers) },
    ...(schema === undefined ? {} : { content: { [mediaType]: content } }),
  };
}

function namedExamples(values: Readonly<Record<string, unknown>> | undefined): Json {
  if (values === undefined) return {};
  return { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) };
}
