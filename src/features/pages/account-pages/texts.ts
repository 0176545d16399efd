/** Texts of the pages, per step of an account. */
import type { LinkKind } from '../../mail/links/queries.ts';

export interface StepText {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** Advice when the link is not valid. */
  readonly nextStep: string;
}

export const STEPS: Readonly<Record<LinkKind, StepText>> = {
  reset_password: {
    title: 'Choose a new password',
    text: 'It replaces the old one, and logs you out on every device.',
    action: 'Set password',
    nextStep: 'If you still need a new password, request another link and open the newest message.',
  },
  claim_account: {
    title: 'Set up your account',
    text: 'An account was created for you. Choose the password that you will log in with.',
    action: 'Set password',
    nextStep:
      'If you have chosen a password already, log in with it. Otherwise ask for a new link where your account was created.',
  },
  verify_email: {
    title: 'Confirm your email address',
    text: 'Is this your address, and have you used it for an account here? If not, close this page: nothing is confirmed then.',
    action: 'Confirm email address',
    nextStep: 'If you have confirmed your address already, you are done. Otherwise request another message.',
  },
  change_email: {
    title: 'Confirm your new email address',
    text: 'From then on you log in with this address, and messages are sent to it.',
    action: 'Confirm new email address',
    nextStep: 'If you have confirmed the new address already, you are done. Otherwise change it again.',
  },
};

export interface Notice {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** Result of a completed step. */
export type StepOutcome = 'password-set' | 'email-verified' | 'email-changed';

export const OUTCOMES: Readonly<Record<StepOutcome, Notice>> = {
  'password-set': {
    title: 'Your password is set',
    paragraphs: [
      'You can close this page, and log in with the new password.',
      'Devices that were logged in have to log in again.',
    ],
  },
  'email-verified': {
    title: 'Your email address is confirmed',
    paragraphs: ['You can close this page.'],
  },
  'email-changed': {
    title: 'Your email address is changed',
    paragraphs: ['You can close this page. From now on, log in with the new address.'],
  },
};
