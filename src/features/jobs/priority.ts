/** The order in which waiting jobs of a queue run. */

/** A person waits for the result. */
export const URGENT = 0;
/** Nobody waits, but there are few at a time, such as notices and links that the administrator sends to single users. */
export const ORDINARY = 1;
/** Many at once, such as links that the administrator sends to many users. */
export const BULK = 2;

/** The most urgent first. */
export const PRIORITIES = [URGENT, ORDINARY, BULK] as const;
export type Priority = (typeof PRIORITIES)[number];
