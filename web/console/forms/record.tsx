/** Forms, as the API returns them. */
import type { Form, ListedForm } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { formatShortTime } from '../../common/short-time.ts';
import { createRecords } from '../records/requests.ts';

export const forms = createRecords<Form>('/api/v1/forms', 'form');

/** The parts of the page of a form. */
export type FormTab = 'fields' | 'submissions' | 'settings' | 'share';

export function linkToForm(id: string, tab: FormTab = 'fields'): string {
  return tab === 'fields' ? forms.link(id) : `${forms.link(id)}/${tab}`;
}

/** The service counts no further, in the list of forms and for one form. */
export const MAX_COUNTS = { list: 1_000, form: 10_000 } as const;

/** Returns `1 field`, `2 fields`. */
export function counted(count: number, noun: string): string {
  return `${formatTotal(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the number, with a plus where the service counts no further. */
export function formatTotal(count: number, max: number = MAX_COUNTS.form): string {
  return `${formatCount(count)}${count >= max ? '+' : ''}`;
}

/** Whether the draft differs from what is published. */
export function hasNewDraft({ published_version, draft_version }: ListedForm): boolean {
  return published_version !== null && published_version !== draft_version;
}

/** State at this time, as people meet it. */
export function FormBadge({ form }: { readonly form: ListedForm }) {
  const { state, opens_at, closes_at, max_submissions, submissions } = form;
  const now = Date.now();
  if (state === 'draft') return <span class="badge">Draft</span>;
  if (state === 'closed' || (closes_at !== null && Date.parse(closes_at) <= now))
    return <span class="badge">Closed</span>;
  if (opens_at !== null && Date.parse(opens_at) > now)
    return <span class="badge note">Opens {formatShortTime(opens_at, new Date())}</span>;
  if (max_submissions !== null && submissions.accepted >= max_submissions)
    return <span class="badge warn">Full</span>;
  return <span class="badge usual">Open</span>;
}

export function FormsTabs({ isCheck = false }: { readonly isCheck?: boolean }) {
  return (
    <nav class="tabs" aria-label="Forms">
      <Link to={forms.page} aria-current={isCheck ? undefined : 'page'}>
        Forms
      </Link>
      <Link to={`${forms.page}?view=check`} aria-current={isCheck ? 'page' : undefined}>
        Check of fields
      </Link>
    </nav>
  );
}
