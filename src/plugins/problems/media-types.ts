/** Media types of responses. */
export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 9457; the type has no charset parameter. */
export const PROBLEM_TYPE = 'application/problem+json';
