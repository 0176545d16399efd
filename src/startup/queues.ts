/** Workers of the process that work off queues in the database. */
import type { Config } from '../config.ts';
import { type MailDeps, startMail } from '../features/mail/delivery/delivery.ts';
import { createSecretSeal } from '../features/webhooks/change-webhook.ts';
import { startWebhooks, type WebhookDeps } from '../features/webhooks/delivery/start-webhooks.ts';
import { createAddressPolicy } from '../lib/outbound/address-policy.ts';

/** Starts the workers that send messages, and events to webhooks. `url` is the one at which the service listens. */
export function startQueues(
  config: Config,
  resources: Omit<MailDeps, 'mail' | 'baseUrl'> & Pick<WebhookDeps, 'numbering'>,
  url: string,
) {
  const { operatorEmail, publicUrl, webhookAllow } = config;
  // Without PUBLIC_URL, messages are only logged, for a person on this machine.
  const mail = startMail({ ...resources, mail: config.mail, baseUrl: publicUrl || url });
  const webhooks = startWebhooks({
    ...resources,
    operatorEmail,
    webhookAddresses: createAddressPolicy(webhookAllow),
    webhookSecrets: createSecretSeal(resources.secretKey),
  });
  return { close: () => Promise.all([mail.close(), webhooks.close()]) };
}
