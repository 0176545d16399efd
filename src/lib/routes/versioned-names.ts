/**
 * Prefixes of the routes that have a name without a version as well. The description has that name; the versioned one
 * would repeat every part of it.
 */
export const NAME_PREFIXES = [
  { prefix: '/api', hide: false },
  { prefix: '/api/v1', hide: true },
] as const;
