/** Options of the routes of pages and files. They are not part of the API, and not in its description. */
export const DOCUMENT_ROUTE = {
  schema: { hide: true },
  config: { access: 'public', limits: ['documents'] },
} as const;
