import {
  dataSchema,
  type JsonSchema,
  nullableText,
  recordSchema,
  text,
} from '../../../lib/schema/json-schema.ts';
import { LIMIT_NAMES } from '../../../rate-limits/limits.ts';
import { RUN_TIME_SETTINGS } from '../../../settings/run-time-settings.ts';
import { SETTING_GROUPS, SOURCES, VALUE_KINDS } from '../../../settings/setting-definition.ts';

const format = {
  type: ['object', 'null'],
  description: 'Which values it can have, for forms; null if it cannot change while the service runs.',
  required: ['kind', 'choices', 'minimum', 'maximum', 'unit', 'can_be_off'],
  properties: {
    kind: {
      type: 'string',
      enum: VALUE_KINDS,
      description: 'A `quota` is `requests/seconds`; an `image` a data URL. More may be added.',
    },
    choices: {
      type: ['array', 'null'],
      items: text,
      description: 'All values of a `choice`; of a `switch`, that for on and that for off.',
    },
    minimum: {
      type: ['integer', 'null'],
      description: 'Least value of an `integer`, and of both numbers of a `quota`.',
    },
    maximum: { type: ['integer', 'null'] },
    unit: { ...nullableText, description: 'What an `integer` counts, such as `days`.' },
    can_be_off: { type: 'boolean', description: 'Whether `off` is a value, too: no limit.' },
  },
} as const satisfies JsonSchema;

export const settingSchema = {
  $id: 'Setting',
  ...recordSchema({
    name: { ...text, description: 'Name of the environment variable.' },
    value: {
      ...nullableText,
      description:
        'What applies. Null if nothing does, and of secrets; passwords in URLs are masked, and an image is described in words.',
    },
    source: {
      type: 'string',
      enum: SOURCES,
      description: '`environment` wins over `database`, where changes are stored, and that over `default`.',
    },
    default: { ...nullableText, description: 'What applies if nothing is set.' },
    is_secret: { type: 'boolean', description: 'Whether the value is, or may contain, a secret.' },
    is_set: { type: 'boolean', description: 'Whether there is a value, also if it is not shown.' },
    is_changeable: {
      type: 'boolean',
      description: 'Whether it can change while the service runs, unless the environment fixes it.',
    },
    scope: {
      type: ['string', 'null'],
      enum: ['admin', 'settings:write', null],
      description: 'Scope that a change needs; null if it cannot change while the service runs.',
    },
    format,
    group: { type: 'string', enum: SETTING_GROUPS, description: 'Subject. More may be added.' },
    title: { ...text, description: 'Its name in words.' },
    meaning: { ...text, description: 'What it is for, in one line.' },
    docs: { ...text, description: 'Path of the document and section about it.' },
  }),
} as const;

const nullableCount = { type: ['integer', 'null'], minimum: 1 } as const satisfies JsonSchema;

const limit = recordSchema({
  name: { type: 'string', enum: LIMIT_NAMES, description: 'More names may be added.' },
  quota: { ...nullableCount, description: 'Null while the limit is off.' },
  window_seconds: nullableCount,
});

export const settingsSchema = dataSchema({
  title: 'Settings',
  ...recordSchema({
    settings: { type: 'array', items: { $ref: 'Setting' } },
    limits: { type: 'array', items: limit, description: 'The rate limits in force.' },
  }),
});

export const changesSchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(RUN_TIME_SETTINGS.keys().map((name) => [name, nullableText])),
  additionalProperties: false,
};

const adminToken = {
  name: 'ADMIN_TOKEN',
  value: null,
  source: 'environment',
  default: null,
  is_secret: true,
  is_set: true,
  is_changeable: false,
  scope: null,
  format: null,
  group: 'operation',
  title: 'Credential of the first owner',
  meaning: 'Credential of the administrator.',
  docs: '/docs/operations#rotating-admin_token',
};

const lifetime = {
  name: 'TOKEN_LIFETIME_DAYS',
  value: '30',
  source: 'default',
  default: '30',
  is_secret: false,
  is_set: true,
  is_changeable: true,
  scope: 'settings:write',
  format: { kind: 'integer', choices: null, minimum: 1, maximum: 3650, unit: 'days', can_be_off: false },
  group: 'logins',
  title: 'Time after which tokens expire',
  meaning: 'In days from their creation.',
  docs: '/docs/operations#single-settings',
};

const limits = [{ name: 'anon', quota: 120, window_seconds: 60 }];

export const settings = { message: 'Settings', data: { settings: [adminToken, lifetime], limits } };

export const changes = { TOKEN_LIFETIME_DAYS: '7', INSTANCE_NAME: null };

export const changed = {
  message: 'Settings',
  data: { settings: [{ ...lifetime, value: '7', source: 'database' }], limits },
};
