/** Names of the webhooks and credentials that events are about: events have their ids only. */
import { signal } from '@preact/signals';

/**
 * Names by subject, such as `webhook:…`, of each kind of subject. Without those of a kind, it is not known which of
 * them were deleted.
 */
export type SubjectNames = Readonly<Partial<Record<string, ReadonlyMap<string, string>>>>;

export const subjectNames = signal<SubjectNames>({});
