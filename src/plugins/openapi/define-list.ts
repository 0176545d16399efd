/** Schemas of lists in pages. */
import { type JsonSchema, nullableText, text } from '../../lib/schema/json-schema.ts';
import { cursorParameter, limitParameter } from '../../lib/schema/query-parameters.ts';
import { describeResponse, type ResponseDescription } from './describe-response.ts';

/** The header of each page, which `pagination` sets. */
export const PAGE_HEADERS = {
  Link: 'URLs of the next and the first page, if there is more than one (RFC 8288).',
};

export function pageSchema<const S extends JsonSchema>(items: S) {
  return {
    type: 'object',
    required: ['message', 'data', 'next_cursor'],
    properties: { message: text, data: { type: 'array', items }, next_cursor: nullableText },
  } as const;
}

export function pageQuery<const Filters extends Readonly<Record<string, JsonSchema>>>(filters: Filters) {
  const properties = { limit: limitParameter, cursor: cursorParameter, ...filters } as const;
  return { type: 'object', properties } as const;
}

/** Returns the schemas of the query and the response of an operation that lists records with these filters. */
export function defineList<
  const Filters extends Readonly<Record<string, JsonSchema>>,
  const Items extends JsonSchema,
>(filters: Filters, items: Items, described: Omit<ResponseDescription, 'headers'>) {
  return {
    querystring: pageQuery(filters),
    response: { 200: describeResponse(pageSchema(items), { ...described, headers: PAGE_HEADERS }) },
  } as const;
}
