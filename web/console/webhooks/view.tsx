/** One webhook with its deliveries. */
import { useState } from 'preact/hooks';
import type { Webhook, WebhookHealth } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { PageHead } from '../../common/panel.tsx';
import { ShortTime, Time } from '../../common/time.tsx';
import { BackLink, isNotFound, MissingRecord, type RecordList } from '../records/record-page.tsx';
import { useView } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { Problem } from './problem.tsx';
import { WebhookActions } from './actions.tsx';
import { formatTypes, WEBHOOKS, WebhookBadge, webhookPath } from './record.tsx';

const LIST: RecordList = { name: 'webhooks', to: WEBHOOKS };

export function WebhookView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: WebhookHealth }>(webhookPath(id), revision);
  const webhook = loaded.data?.data;
  const onChange = () => setRevision((count) => count + 1);
  if (webhook === undefined || isNotFound(loaded))
    return <MissingRecord noun="webhook" list={LIST} loaded={loaded} retry={retry} />;
  return (
    <>
      {loaded.state === 'failed' && (
        <Failure what="The webhook could not be loaded" error={loaded.error} retry={retry} />
      )}
      <PageHead title={webhook.url} back={<BackLink {...LIST} />} context={<Context webhook={webhook} />}>
        <WebhookActions webhook={webhook} onChange={onChange} />
      </PageHead>
      <Problem webhook={webhook} onChange={onChange} />
      <Deliveries webhook={webhook} revision={revision} />
    </>
  );
}

/** Types that are named; of more, the number. */
const MAX_NAMED = 3;

function Context({ webhook }: { readonly webhook: Webhook }) {
  const { description, types, previous_secret_until, created_at } = webhook;
  const named = types !== null && types.length <= MAX_NAMED ? types.join(', ') : formatTypes(webhook);
  return (
    <>
      <WebhookBadge webhook={webhook} /> {description && <bdi>{description} · </bdi>}
      <span title={types?.join(', ')}>{named}</span> · created <ShortTime at={created_at} />
      {previous_secret_until !== null && (
        <>
          {' '}
          · the earlier secret also signs until <Time at={previous_secret_until} />
        </>
      )}
    </>
  );
}
