/** Types of events about the passkeys of users. */
import type { EventText } from './event-text.ts';

export const PASSKEY_EVENTS = {
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
