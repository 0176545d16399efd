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

/**
 * Password managers and platforms by the AAGUID of their authenticators, as they name themselves. Browsers replace the AAGUIDs of USB keys by zeros, so that a
 * list of these would have no use.
 */
const AUTHENTICATORS: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
};

/**
 * Returns a name that is none of `taken`: that of the authenticator, numbered if there is another one. `securityKey` is
 * what a USB key is called.
 */
export function createPasskeyName(
  { aaguid, transports }: { readonly aaguid: string; readonly transports: readonly string[] },
  { taken, securityKey }: { readonly taken: readonly string[]; readonly securityKey: string },
): string {
  const name = AUTHENTICATORS[aaguid] ?? (transports.includes('usb') ? securityKey : 'Passkey');
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}
