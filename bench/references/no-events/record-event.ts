/** Replaces the module that records events. */
import type { recordEvent as record } from '../../../src/features/events/record-event.ts';

export { userSubject } from '../../../src/features/events/record-event.ts';

export const recordEvent: typeof record = async () => {};
