/** One webhook with its deliveries. */

import { useState } from 'preact/hooks';
import type { Webhook } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { PageHead, Panel } from '../../common/panel.tsx';
import { ShortTime, Time } from '../../common/time.tsx';
import { Fact, TimeFact } from '../list/fact.tsx';
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
      <PageHead
        title={webhook.url}
        back={<BackLink {...LIST} />}
        context={
          <>
            <WebhookBadge webhook={webhook} /> {webhook.description && <bdi>{webhook.description}</bdi>}
          </>
        }
      />
      <div class="columns aside">
        <Deliveries webhook={webhook} revision={revision} />
        <div class="stack">
          <WebhookSettings webhook={webhook} />
          <WebhookActions webhook={webhook} onChange={onChange} />
        </div>
      </div>
    </>
  );
}

function WebhookSettings({ webhook }: { readonly webhook: Webhook }) {
  const { types, failing_since, previous_secret_until, created_at } = webhook;
  return (
    <Panel title="Settings" id="settings">
      <dl class="facts">
        <Fact name="State">{explainState(webhook)}</Fact>
        <TimeFact name="Failing since" at={failing_since} />
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
    </Panel>
  );
}
