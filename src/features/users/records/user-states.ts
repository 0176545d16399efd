/** States of a user: unclaimed ones have no password, disabled ones cannot log in. */
export const USER_STATES = ['unclaimed', 'active', 'disabled'] as const;

export type UserState = (typeof USER_STATES)[number];
