/** Parameters of a query as they were parsed: a repeated one is a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the query of a request, which the features check: its schema only describes it. */
export function getQuery({ query }: { readonly query: unknown }): Query {
  return query as Query;
}
