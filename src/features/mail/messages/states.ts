/** States of messages, and reasons why they were not sent. */

export const MESSAGE_STATES = ['waiting', 'sending', 'sent', 'failed', 'dropped', 'cancelled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** The states of messages that are not in the queue any more. */
export const END_STATES = [
  'sent',
  'failed',
  'dropped',
  'cancelled',
] as const satisfies readonly MessageState[];
export type EndState = (typeof END_STATES)[number];

/**
 * `rejected`: by the mail server, for good. `expired`: no attempt has succeeded in time. `not_needed`: its reason was
 * gone, for example because the link was revoked or the address confirmed. `limit`: its recipient had got as many
 * messages as the limits allow.
 */
export const END_REASONS = ['rejected', 'expired', 'not_needed', 'limit'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Whether a message that has ended can be sent again: it was not sent, and was not found to be superfluous. */
export function isRetryable(state: MessageState): boolean {
  return state === 'failed' || state === 'cancelled';
}
