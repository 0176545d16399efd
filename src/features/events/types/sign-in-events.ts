/** Types of events about passkeys, and devices that are signed in elsewhere. */
import type { EventText } from './event-text.ts';

export const SIGN_IN_EVENTS = {
  'device.authorized': {
    meaning:
      'A user allowed a device without a browser to sign in; `details.application_id` names the application.',
    label: 'Device allowed',
    done: 'allowed a device of {}',
    doneBySelf: 'allowed a device',
    perHour: 20,
  },
  'device.denied': {
    meaning:
      'A user denied a device without a browser the sign-in; `details.application_id` names the application.',
    label: 'Device denied',
    done: 'denied a device of {}',
    doneBySelf: 'denied a device',
    perHour: 20,
  },
  'passkey.added': {
    meaning: 'A user added a passkey, with which they can sign in; `details.passkey` is its id.',
    label: 'Passkey added',
    done: 'added a passkey to {}',
    doneBySelf: 'added a passkey',
  },
  'passkey.renamed': {
    meaning: 'A user gave a passkey another name; `details.passkey` is its id.',
    label: 'Passkey renamed',
    done: 'renamed a passkey of {}',
    doneBySelf: 'renamed a passkey',
    perHour: 20,
  },
  'passkey.removed': {
    meaning: 'A passkey was removed, by the user or the administrator; `details.passkey` is its id.',
    label: 'Passkey removed',
    done: 'removed a passkey of {}',
    doneBySelf: 'removed a passkey',
  },
  'passkey.counter_fell': {
    meaning:
      'A passkey signed with a counter that is not above the last one: there may be a copy of it. The sign-in was accepted; `details.passkey` is its id.',
    label: 'Counter of a passkey fell',
    sentence: 'A passkey of {} may have been copied',
    perHour: 10,
  },
} as const satisfies Readonly<Record<string, EventText>>;
