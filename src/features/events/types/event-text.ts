/** What is said about a type of events: in the description of the API, and in the console. */
export interface EventText {
  /** What it reports. */
  readonly meaning: string;
  /** What has happened, as in a list: `Password changed`. */
  readonly label: string;
  /** What somebody has done; `{}` is the subject. */
  readonly done: string;
  /** What users have done to their own account. */
  readonly doneBySelf?: string;
  /**
   * Of types that others than administrators can cause at any rate: so many of one cause are recorded one by one within
   * an hour. The others are counted, and recorded as one event each minute.
   */
  readonly perHour?: number;
}
