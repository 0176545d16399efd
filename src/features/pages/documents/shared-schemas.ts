/** Schemas of the API to which others refer. */
import { credentialSchema } from '../../credentials/schemas.ts';
import { eventSchemas } from '../../events/schemas.ts';
import { formSchema } from '../../forms/response-schemas.ts';
import { submissionSchema } from '../../forms/submissions/schemas.ts';
import { mailSchema } from '../../mail/messages/schemas.ts';
import { settingSchema } from '../../operation/configuration/schemas.ts';
import { tokenSchema } from '../../tokens/schemas.ts';
import { verifiedTokenSchema } from '../../tokens/verification/schemas.ts';
import { userSchema } from '../../users/records/schemas.ts';
import { webhookSchemas } from '../../webhooks/deliveries/schemas.ts';

export const SHARED_SCHEMAS = [
  userSchema,
  tokenSchema,
  verifiedTokenSchema,
  ...webhookSchemas,
  mailSchema,
  settingSchema,
  ...eventSchemas,
  credentialSchema,
  formSchema,
  submissionSchema,
] as const;
