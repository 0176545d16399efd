/** What answers are sent as. */
export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 9457, which knows no charset. */
export const PROBLEM_TYPE = 'application/problem+json';
