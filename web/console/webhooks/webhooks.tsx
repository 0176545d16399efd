/** The endpoints that receive events. */
import type { Webhook } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Link, navigate } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { isRowClick } from '../list/row-click.ts';
import { useView } from '../session.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { API_PATH, formatTypes, WEBHOOKS, WebhookBadge } from './webhook-record.tsx';

export function Webhooks() {
  const [loaded, retry] = useView<{ data: readonly Webhook[] }>(API_PATH);
  const webhooks = loaded.data?.data;
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Webhooks">Webhooks</ViewHeading>
          <p class="context">URLs of yours to which the service sends events as they happen.</p>
        </div>
        <CreateWebhook onCreated={retry} />
      </div>
      {loaded.state === 'failed' && (
        <Failure what="The webhooks could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && webhooks === undefined && <Loading what="the webhooks" isTable />}
      {webhooks !== undefined && (
        <div class="panel">
          {webhooks.length === 0 ? (
            <p class="empty">There are no webhooks yet. Create one, and send it a test.</p>
          ) : (
            <WebhookTable webhooks={webhooks} />
          )}
        </div>
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <table class="records cards" aria-label="Webhooks">
      <thead>
        <tr>
          <th scope="col">URL</th>
          <th scope="col">Events</th>
          <th scope="col">Failing since</th>
          <th scope="col" class="wide">
            Created
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
    </table>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, types, failing_since, created_at } = webhook;
  const to = `${WEBHOOKS}/${id}`;
  return (
    <tr class="clickable" onClick={(event) => isRowClick(event) && navigate(to)}>
      <td class="main-cell grow" title={url}>
        <Link to={to}>{url}</Link>
        {description && <bdi class="description">{description}</bdi>}
      </td>
      <td data-label="Events" title={types?.join(', ')}>
        {formatTypes(webhook)}
      </td>
      <td data-label="Failing since">
        {failing_since === null ? <span class="none">–</span> : <ShortTime at={failing_since} />}
      </td>
      <td data-label="Created" class="wide">
        <ShortTime at={created_at} />
      </td>
      <td class="state-cell">
        <WebhookBadge webhook={webhook} />
      </td>
    </tr>
  );
}
