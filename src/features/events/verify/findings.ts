/** Results of the verification of the chain. */

/** Defects of events. */
export const FINDINGS = {
  content: 'its content was edited',
  removed: 'its content was removed, and not by the service',
  invented: 'it was not recorded by the service: it was added, or the chain was computed anew',
  personal_data: 'its address or its device was edited',
  missing: 'it was removed',
  start: 'the events up to it were removed, and not by the service',
  young: 'the events up to it were removed before they were older than EVENTS_DAYS',
  time: 'its time is minutes before those of the events around it: it was added or edited',
  accepted: 'the mark of the events that need none was edited',
  digest: 'its digest does not follow from the event before it: it was edited, inserted or reordered',
  head: 'the end of the chain is another one than recorded: events were added or removed there',
  chain: 'the row of the table event_chain is missing: the ends of the chain are unknown',
  unknown: 'it is not among the verified events, so its digest cannot be compared',
  noted: 'its digest is not the one that was noted: the chain was computed anew',
} as const;

/** Defects that the service itself may have caused. */
export const WARNINGS = {
  clock: 'its time is before that of the event before it: the clock was set back',
  imported:
    'an import of an earlier release stored them without marks, and the upgrade added these: nothing proves that the service recorded them',
  unmarked: 'they have no marks: an earlier release, or one with another SECRET_KEY, has recorded them',
} as const;

/** Follows findings. */
export const ADVICE = 'What to do: /docs/events#after-a-finding';

export type ChainProblem = keyof typeof FINDINGS | keyof typeof WARNINGS;

/** Is called with each finding: the event, or the first and the last one of several. */
export type Report = (problem: ChainProblem, number: number, last?: number) => void;
