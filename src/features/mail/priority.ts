/** The order in which waiting messages are sent. */

/** A person waits for the message. */
export const URGENT = 0;
/** Notices, and links that the administrator sends to single users. */
export const ORDINARY = 1;
/** Links that the administrator sends to many users at once. */
export const BULK = 2;

/** The most urgent first. */
export const PRIORITIES = [URGENT, ORDINARY, BULK] as const;
export type Priority = (typeof PRIORITIES)[number];
