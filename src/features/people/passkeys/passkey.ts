/** A passkey of a user: its row, schemas, view and example. */
import {
  dataSchema,
  FILLED_PATTERN,
  type JsonSchema,
  recordSchema,
} from '../../../lib/schema/json-schema.ts';
import { exampleId } from '../../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../../lib/time.ts';
import { nullableTimestamp, text, timestamp, uuid } from '../../users/records/member-schemas.ts';

export const MAX_PASSKEYS = 20;

/** Times in epoch milliseconds. */
export interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  /** Base64url without padding. */
  readonly credential_id: string;
  /** COSE_Key (RFC 9052 section 7) in base64url. */
  readonly public_key: string;
  readonly rp_id: string;
  readonly counter: number;
  /** Separated by spaces. */
  readonly transports: string;
  readonly aaguid: string;
  readonly name: string;
  readonly backup_eligible: number;
  readonly backed_up: number;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** Returns a passkey as the API shows it to its user and to the administrator. */
export function passkeyView(row: PasskeyRow) {
  const { id, name, credential_id, rp_id, aaguid, backed_up, created_at, last_used_at } = row;
  return {
    ...{ id, name, credential_id, rp_id, aaguid, is_synced: backed_up === 1 },
    ...formatTimes({ created_at, last_used_at }, ['created_at', 'last_used_at']),
  };
}

export const passkeySchema = {
  title: 'Passkey',
  ...recordSchema({
    id: uuid,
    name: text,
    credential_id: {
      ...text,
      description: 'Id of the credential in base64url, by which browsers know the passkey.',
    },
    rp_id: { ...text, description: 'The domain to which it belongs. At another one it cannot be used.' },
    aaguid: {
      ...uuid,
      description: 'Model of the authenticator. It says so itself: this proves nothing. Zeros are common.',
    },
    is_synced: {
      type: 'boolean',
      description: 'Whether it was synchronised between devices at the last sign-in.',
    },
    created_at: timestamp,
    last_used_at: nullableTimestamp,
  }),
} as const;

export const passkeyName = {
  type: 'string',
  maxLength: 100,
  pattern: FILLED_PATTERN,
  'x-trim': true,
  description: 'Must not be blank. Surrounding white space is removed.',
} as const satisfies JsonSchema;

/** What `PublicKeyCredential.toJSON()` returns. Its content is checked by the use cases, which reject it with one problem. */
export const credentialSchema = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: { id: text, rawId: text, type: text, response: { type: 'object', additionalProperties: true } },
  additionalProperties: true,
  description: 'What `toJSON()` of the credential returns in the browser.',
} as const satisfies JsonSchema;

export const optionsSchema = {
  title: 'PasskeyOptionsResponse',
  ...dataSchema({
    type: 'object',
    required: ['challenge'],
    properties: { challenge: { ...text, description: 'Valid for five minutes, once.' } },
    additionalProperties: true,
  }),
} as const;

const challenge = 'RvOmvmzW1oHVHh6v4KDcpEX7YqNwZWwV1I1sfPsBCPk';
const credentialId = '4NdyOjFTVFZ8on2-49cMDCEKACgCFrdt4IA6198vos0';
const descriptor = { id: credentialId, transports: ['internal'], type: 'public-key' };
const credential = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };

export const examples = {
  passkey: {
    id: exampleId,
    name: 'Google Password Manager',
    credential_id: credentialId,
    rp_id: 'accounts.example.com',
    aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
    is_synced: true,
    created_at: '2026-01-05T09:30:00.000Z',
    last_used_at: '2026-01-06T08:00:00.000Z',
  },
  signInOptions: {
    rpId: 'accounts.example.com',
    challenge,
    allowCredentials: [descriptor],
    timeout: 300_000,
    userVerification: 'preferred',
  },
  creationOptions: {
    challenge,
    rp: { name: 'Frontdesk', id: 'accounts.example.com' },
    user: {
      id: '_5hfJvg-I7jIVewv1mm7X1LEWEpl2ZYBXjn0XaROsw4',
      name: 'ada@example.com',
      displayName: 'Ada Lovelace',
    },
    pubKeyCredParams: [-7, -257, -8].map((alg) => ({ alg, type: 'public-key' })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [descriptor],
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: 'required',
      requireResidentKey: true,
    },
    extensions: { credProps: true },
    hints: [],
  },
  assertion: {
    ...credential,
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'UNP5ptgOG11w5dZjPiQvVxKO5ZpnWzmJWFZeV_ucMSAdAAAAAg',
      signature:
        'MEQCIFWqxWy_3XOF2OXdvIucEzcBQzVfFQwZ75S2EGGeu949AiBl-YoprSjYVJTvIPQSyltIpcJJ8B2_Rl9C1RJbLVMTaw',
      userHandle: '_5hfJvg-I7jIVewv1mm7X1LEWEpl2ZYBXjn0XaROsw4',
    },
  },
  attestation: {
    ...credential,
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
      transports: ['internal'],
    },
  },
};
