/** The endpoints that receive events. */
import type { WebhookHealth } from '../../common/api-types.ts';
import { capitalize, PageHead } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { type Column, Empty, RecordList, usePages } from '../records/record-list.tsx';
import { Secret } from '../records/secret.tsx';
import { WEBHOOK_FORM } from './form.tsx';
import { formatTypes, SECRET, WebhookBadge, type WebhookWithSecret, webhooks } from './record.tsx';
import { formatLastError } from './text.ts';

const COLUMNS: readonly Column<WebhookHealth>[] = [
  {
    title: 'URL',
    class: 'grow',
    isMain: true,
    getHint: ({ url }) => url,
    render: ({ url }) => url,
    renderAfter: ({ description }) => description && <bdi class="description">{description}</bdi>,
  },
  { title: 'Events', getHint: ({ types }) => types?.join(', '), render: formatTypes },
  {
    title: 'Last 24 hours',
    getHint: ({ recent: { delivered, failed, pending } }) =>
      `Of the last ${delivered + failed + pending}: ${delivered} delivered, ${pending} pending, ${failed} failed`,
    render: ({ recent }) => <Rate recent={recent} />,
  },
  {
    title: 'Problem',
    render: ({ failing_since, last_error }) =>
      failing_since && (
        <>
          {capitalize(last_error === null ? 'failing' : formatLastError(last_error))} since{' '}
          <ShortTime at={failing_since} />
        </>
      ),
  },
  { title: 'State', class: 'state-cell', render: (webhook) => <WebhookBadge webhook={webhook} /> },
];

/** The share of deliveries that the receiver has accepted, as a bar with its number. */
function Rate({ recent }: Pick<WebhookHealth, 'recent'>) {
  const { delivered, failed, pending } = recent;
  const all = delivered + failed + pending;
  if (all === 0) return <span class="none">–</span>;
  const share = Math.floor((100 * delivered) / all);
  return (
    <span class={`rate ${share === 100 ? 'good' : 'bad'}`}>
      <meter max={100} value={share} aria-label="Delivered" />
      {share} %
    </span>
  );
}

export function Webhooks() {
  const pages = usePages<WebhookHealth>(webhooks.path);
  return (
    <>
      <PageHead title="Webhooks" context="URLs of yours to which the service sends events as they happen.">
        <CreateWebhook onCreated={pages.reload} />
      </PageHead>
      <RecordList
        nouns={['webhook', 'webhooks']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => webhooks.link(id)}
        empty={
          <Empty icon="webhooks" title="No webhooks yet" action={webhooks.creation} docs="/docs/webhooks">
            A webhook is a URL of yours that learns of each event within seconds: a new user, a changed email.
          </Empty>
        }
      />
    </>
  );
}

function CreateWebhook({ onCreated }: { readonly onCreated: () => void }) {
  return (
    <CreateRecord
      records={webhooks}
      form={WEBHOOK_FORM}
      getTitle={() => 'The secret of the webhook'}
      result={({ secret }: WebhookWithSecret, onClose) => (
        <Secret {...SECRET} secret={secret} onClose={onClose} />
      )}
      onCreated={onCreated}
      getMessage={() => 'The webhook was created. Send a test to see whether it is received.'}
      next="page"
    />
  );
}
