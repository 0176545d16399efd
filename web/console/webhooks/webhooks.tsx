/** The endpoints that receive events. */
import type { Webhook } from '../../common/api-types.ts';
import { ViewHeading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { RecordList } from '../list/record-list.tsx';
import type { Column } from '../list/record-table.tsx';
import { usePages } from '../list/use-pages.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { API_PATH, formatTypes, WEBHOOKS, WebhookBadge } from './webhook-record.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
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
    title: 'Failing since',
    render: ({ failing_since }) => failing_since && <ShortTime at={failing_since} />,
  },
  { title: 'Created', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  { title: 'State', class: 'state-cell', render: (webhook) => <WebhookBadge webhook={webhook} /> },
];

export function Webhooks() {
  const pages = usePages<Webhook>(API_PATH);
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Webhooks">Webhooks</ViewHeading>
          <p class="context">URLs of yours to which the service sends events as they happen.</p>
        </div>
        <CreateWebhook onCreated={pages.reload} />
      </div>
      <RecordList
        label="Webhooks"
        nouns={['webhook', 'webhooks']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => `${WEBHOOKS}/${id}`}
        empty={<p class="empty">There are no webhooks yet. Create one, and send it a test.</p>}
      />
    </>
  );
}
