/** Creates a webhook, and shows its secret once. */
import { navigate } from '../../common/router.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { announce } from '../status.tsx';
import { WebhookSecret } from './secret.tsx';
import { WebhookForm } from './form.tsx';
import { API_PATH, WEBHOOKS, type WebhookWithSecret } from './record.tsx';

const VERB = 'Create webhook';

export function CreateWebhook({ onCreated }: { readonly onCreated: () => void }) {
  const finish = ({ id }: WebhookWithSecret) => {
    navigate(`${WEBHOOKS}/${id}`);
    announce('The webhook was created. Send a test to see whether it is received.');
  };
  return (
    <CreateRecord<WebhookWithSecret>
      verb={VERB}
      path={API_PATH}
      form={(form) => (
        <WebhookForm webhook={null} verb={VERB} failure="The webhook was not created" {...form} />
      )}
      getTitle={() => 'The secret of the webhook'}
      result={({ secret }, onClose) => <WebhookSecret secret={secret} onClose={onClose} />}
      onCreated={onCreated}
      onFinished={finish}
    />
  );
}
