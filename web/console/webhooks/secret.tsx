/** The secret of a webhook, which is shown once. */
import { Secret } from '../records/secret.tsx';

interface WebhookSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function WebhookSecret(props: WebhookSecretProps) {
  return (
    <Secret label="Secret" {...props}>
      The receiver verifies the signatures of deliveries with it.
    </Secret>
  );
}
