/** The deliveries of a webhook, newest first. */
import type { WebhookDelivery } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { navigate, query, withQuery } from '../../common/router.tsx';
import { Choice } from '../list/choice.tsx';
import { MoreButton } from '../list/more-button.tsx';
import { usePages } from '../list/use-pages.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { DELIVERY_STATES, WEBHOOKS, type WebhookSection, webhookPath } from './webhook-record.tsx';

const PAGE_SIZE = '25';

export function Deliveries(section: WebhookSection & { readonly revision: number }) {
  const { webhook, revision } = section;
  const given = query.value.get('state') ?? '';
  const state = Object.hasOwn(DELIVERY_STATES, given) ? given : null;
  const path = `${webhookPath(webhook.id)}/deliveries`;
  const pages = usePages<WebhookDelivery>(path, { state, limit: PAGE_SIZE }, revision);
  const { shown, reload } = pages;
  return (
    <section class="panel" aria-labelledby="deliveries" aria-busy={pages.state.state === 'loading'}>
      <header>
        <h2 id="deliveries">Deliveries</h2>
        <search class="filters end">
          <Choice
            label="State"
            value={state ?? ''}
            options={{ '': 'All', ...DELIVERY_STATES }}
            onChoose={(chosen) => navigate(withQuery(`${WEBHOOKS}/${webhook.id}`, { state: chosen }))}
          />
          <button type="button" onClick={reload}>
            <Icon name="refresh" />
            Refresh
          </button>
        </search>
      </header>
      {pages.state.state === 'failed' && (
        <Failure what="The deliveries could not be loaded" error={pages.state.error} retry={reload} />
      )}
      {shown === undefined && pages.state.state === 'loading' && <Loading what="the deliveries" />}
      {shown?.items.length === 0 && (
        <p class="empty">
          {state === null ? 'Nothing has been sent yet. Send a test.' : 'No delivery is in this state.'}
        </p>
      )}
      {shown !== undefined && shown.items.length > 0 && (
        <DeliveryTable {...section} deliveries={shown.items} onRetried={reload} />
      )}
      <MoreButton pages={pages} nouns={['delivery', 'deliveries']} />
    </section>
  );
}

interface DeliveryTableProps extends WebhookSection {
  readonly deliveries: readonly WebhookDelivery[];
  readonly onRetried: () => void;
}

function DeliveryTable({ webhook, deliveries, onRetried }: DeliveryTableProps) {
  return (
    <table class="records cards" aria-labelledby="deliveries">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Created</th>
          <th scope="col">Last response</th>
          <th scope="col" class="num">
            Attempts
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} onRetried={onRetried} />
        ))}
      </tbody>
    </table>
  );
}
