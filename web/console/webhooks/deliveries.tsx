/** The deliveries of a webhook, newest first. */
import type { Webhook, WebhookDelivery } from '../../common/api-types.ts';
import { Button, Panel } from '../../common/components.tsx';
import { navigate, query, withQuery } from '../../common/router.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { Choice } from '../records/controls.tsx';
import { findKey } from '../records/filters.tsx';
import { type Column, RecordList, usePages } from '../records/record-list.tsx';
import { DeliveryDetail } from './delivery.tsx';
import { DELIVERY_STATES, DeliveryBadge, webhooks } from './record.tsx';
import { formatResult } from './text.ts';

const PAGE_SIZE = '25';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'Event', isMain: true, render: ({ type }) => <code>{type}</code> },
  { title: 'Created', render: ({ created_at }) => <PreciseTime at={created_at} /> },
  {
    title: 'Last response',
    class: 'grow',
    render: ({ attempts }) => (attempts.length === 0 ? null : formatResult(attempts.at(-1)!)),
  },
  { title: 'Attempts', class: 'num', render: ({ attempts }) => attempts.length },
  { title: 'State', class: 'state-cell', render: (delivery) => <DeliveryBadge delivery={delivery} /> },
];

export function Deliveries({ webhook, revision }: { readonly webhook: Webhook; readonly revision: number }) {
  const state = findKey(DELIVERY_STATES, query.value.get('state') ?? '');
  const path = webhooks.pathTo(webhook.id, '/deliveries');
  const pages = usePages<WebhookDelivery>(path, { state, limit: PAGE_SIZE }, revision);
  return (
    <Panel
      title="Deliveries"
      id="deliveries"
      beside={
        <search class="filters end">
          <Choice
            label="State"
            value={state ?? ''}
            options={{ '': 'All', ...DELIVERY_STATES }}
            onChoose={(chosen) => navigate(withQuery(webhooks.link(webhook.id), { state: chosen }))}
          />
          <Button icon="refresh" text="Refresh" onClick={pages.reload} />
        </search>
      }
    >
      <RecordList
        nouns={['delivery', 'deliveries']}
        pages={pages}
        columns={COLUMNS}
        isInPanel
        detail={(delivery) => (
          <DeliveryDetail webhook={webhook} delivery={delivery} onRetried={pages.reload} />
        )}
        empty={
          state === null
            ? 'Nothing has been sent yet. Send a test to see what the receiver gets.'
            : 'No delivery is in this state.'
        }
      />
    </Panel>
  );
}
