/** One webhook with its deliveries. */
import { useState } from 'preact/hooks';
import type { Webhook } from '../../common/api-types.ts';
import { Failure, ViewHeading } from '../../common/components.tsx';
import { ShortTime, Time } from '../../common/time.tsx';
import { Fact } from '../list/fact.tsx';
import { BackLink, isNotFound, MissingRecord, type RecordList } from '../list/missing-record.tsx';
import { useView } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { explainState, WEBHOOKS, WebhookBadge, webhookPath } from './webhook-record.tsx';

const LIST: RecordList = { name: 'webhooks', to: WEBHOOKS };

export function WebhookView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: Webhook }>(webhookPath(id), revision);
  const webhook = loaded.data?.data;
  const onChange = () => setRevision((count) => count + 1);
  if (webhook === undefined || isNotFound(loaded))
    return <MissingRecord noun="webhook" list={LIST} loaded={loaded} retry={retry} />;
  return (
    <>
      {loaded.state === 'failed' && (
        <Failure what="The webhook could not be loaded" error={loaded.error} retry={retry} />
      )}
      <div class="page-head">
        <div>
          <BackLink {...LIST} />
          <ViewHeading title={webhook.url}>{webhook.url}</ViewHeading>
          <p class="context row">
            <WebhookBadge webhook={webhook} />
            {webhook.description && <bdi>{webhook.description}</bdi>}
          </p>
        </div>
      </div>
      <div class="columns aside">
        <Deliveries webhook={webhook} revision={revision} onChange={onChange} />
        <div class="stack">
          <Settings webhook={webhook} />
          <WebhookActions webhook={webhook} onChange={onChange} />
        </div>
      </div>
    </>
  );
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { types, failing_since, previous_secret_until, created_at } = webhook;
  return (
    <section class="panel" aria-labelledby="settings">
      <header>
        <h2 id="settings">Settings</h2>
      </header>
      <dl class="facts">
        <Fact name="State">{explainState(webhook)}</Fact>
        {failing_since !== null && (
          <Fact name="Failing since">
            <Time at={failing_since} />
          </Fact>
        )}
        <Fact name="Events">{types === null ? 'All' : types.join(', ')}</Fact>
        {previous_secret_until !== null && (
          <Fact name="Earlier secret">
            also signs until <Time at={previous_secret_until} />
          </Fact>
        )}
        <Fact name="Created">
          <ShortTime at={created_at} />
        </Fact>
      </dl>
    </section>
  );
}
