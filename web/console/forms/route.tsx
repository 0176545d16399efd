/** Finds the view of a path below that of the list of forms. */
import type { JSX } from 'preact';
import type { AdminScope } from '../../common/api-types.ts';
import { lazyView } from '../../common/lazy-view.tsx';
import type { FormTab } from './record.tsx';

const FormView = lazyView(async () => (await import('../views.ts')).FormView);
const SubmissionView = lazyView(async () => (await import('../views.ts')).SubmissionView);

const PATH = /^\/console\/forms\/([^/]+)(?:\/(submissions|settings|share))?(?:(?<=submissions)\/([^/]+))?$/;

/** Returns the view and the scope that it needs; undefined if there is no such view. */
export function findFormView(path: string): { scope: AdminScope; view: JSX.Element } | undefined {
  const [, id, tab = 'fields', submission] =
    PATH.exec(path)?.map((part) => part && decodeURIComponent(part)) ?? [];
  if (id === undefined) return undefined;
  const scope = tab === 'submissions' ? 'submissions:read' : 'forms:read';
  // The key makes another record another view, with a state of its own.
  if (submission === undefined) return { scope, view: <FormView key={id} id={id} tab={tab as FormTab} /> };
  return { scope, view: <SubmissionView key={submission} formId={id} id={submission} /> };
}
