/** Numbers of records that need somebody, beside the page that lists them. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Alert } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { path } from '../../common/router.tsx';
import { read } from '../session.ts';

/** Older counts are read again when another page is opened. */
const MAX_AGE_MS = 15_000;

/** Pages that list the records of an alert. */
const PAGES: Readonly<Partial<Record<Alert['kind'], string>>> = {
  mail_failed: '/console/mail',
  mail_waiting: '/console/mail',
  webhook_failing: '/console/webhooks',
  submissions_held: '/console/forms',
  identity_provider_failing: '/console/sign-in',
  backup: '/console/backups',
};

const alerts = signal<readonly Alert[]>([]);
let readAt = Number.NEGATIVE_INFINITY;

/** Reads the counts when the console opens, and when another page is opened. The navigation is complete without them. */
export function useCounts(): void {
  useEffect(() => {
    if (Date.now() - readAt < MAX_AGE_MS) return;
    readAt = Date.now();
    read<{ alerts: Alert[] }>('/api/v1/admin/alerts').then(
      (found) => {
        alerts.value = found.alerts;
      },
      () => {},
    );
  }, [path.value]);
}

export function Count({ of }: { readonly of: string }) {
  const found = alerts.value.filter(({ kind }) => PAGES[kind] === of);
  if (found.length === 0) return null;
  const meaning = found.map(({ message }) => message).join('; ');
  return (
    <span key={meaning} class="count end" title={meaning}>
      {formatCount(found.reduce((sum, { count }) => sum + count, 0))}
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}
