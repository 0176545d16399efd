/** Prefixes of the routes that have a name without a version as well, and the ends of the ids of their operations. */
export const NAME_PREFIXES = [
  { prefix: '/api', idSuffix: '' },
  { prefix: '/api/v1', idSuffix: 'V1' },
] as const;
