/** Texts about a type of events, for the description of the API and for the console. */
export interface EventText {
  /** Description of the reported fact. */
  readonly meaning: string;
  /** Short label for lists: `Password changed`. */
  readonly label: string;
  /** Predicate of a sentence about the actor, in the past tense; `{}` is the subject, `{name}` that of `details`. */
  readonly done?: string;
  /** Predicate if the actor is the user whose account it is, or the service itself. */
  readonly doneBySelf?: string;
  /** In place of both, a sentence without the actor, who is not known or does not matter. */
  readonly sentence?: string;
  /**
   * Of types that others than administrators can cause at any rate: so many of one cause are recorded one by one within
   * an hour. The others are counted, and recorded as one event each minute.
   */
  readonly perHour?: number;
  /** Whether they are counted in slots, so that concurrent transactions do not wait for each other's count. */
  readonly isSlotted?: boolean;
}
