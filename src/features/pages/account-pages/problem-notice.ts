/** Explains problems to people who have opened a link. */
import type { Problem } from '../../../problems/problem.ts';
import type { Notice, StepText } from './texts.ts';

export interface ProblemNotice extends Notice {
  /** Whether the same step may succeed later. */
  readonly canRetry: boolean;
}

/** Returns the text of an error page: what has happened, and what to do next. */
export function problemNotice({ code, status, options }: Problem, { nextStep }: StepText): ProblemNotice {
  if (status === 404) {
    const happened = 'The link has expired, has been used, or has been replaced.';
    return { title: 'This link is not valid', paragraphs: [happened, nextStep], canRetry: false };
  }
  if (code === 'email_taken') {
    const next = 'Nothing was changed. Change your account to another address.';
    return { title: 'Another account has this email address', paragraphs: [next], canRetry: false };
  }
  if (status === 429)
    return temporary('Too many attempts', ['This attempt has not used the link up.'], options);
  // The failure may be one after the step was completed.
  const unsure = ['If the link is not valid any more then, this attempt was successful.'];
  if (status === 503) return temporary('The service is busy', unsure, options);
  if (status === 500) return temporary('Something went wrong', unsure, options);
  const next = 'Nothing was changed. Open the link from the message again.';
  return { title: 'The request could not be processed', paragraphs: [next], canRetry: true };
}

function temporary(
  title: string,
  further: readonly string[],
  { retryAfterSeconds: seconds }: Problem['options'],
): ProblemNotice {
  const when = seconds === undefined ? 'later' : `in ${duration(seconds)}`;
  return { title, paragraphs: [`Try again ${when}.`, ...further], canRetry: true };
}

function duration(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
