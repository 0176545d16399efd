import type { FastifyReply } from 'fastify';
import { getAdminCaller } from '../../../callers/callers.ts';
import { ifMatch, versionETag } from '../../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { LIMIT_NAMES, type LimitName, type Limits } from '../../../rate-limits/limits.ts';
import { getScopeOfChange } from '../../../settings/limit-table.ts';
import type { LiveSettings } from '../../../settings/live-settings.ts';
import type { EffectiveSetting } from '../../../settings/setting-definition.ts';
import { DEFINITIONS } from '../../../settings/table.ts';
import { ifMatchHeader } from '../../users/records/schemas.ts';
import { type ChangeSettingsDeps, changeSettings } from './change-settings.ts';
import * as examples from './schemas.ts';
import { changesSchema, settingsSchema } from './schemas.ts';

export type ConfigurationDeps = ChangeSettingsDeps & ListedSettings;

/** A logo of 64 KiB takes 86 KiB as a data URL. */
const MAX_BODY_BYTES = 131_072;

const tags = ['Administration'];

const listSettingsOperation = {
  operationId: 'listSettings',
  tags,
  summary: 'List the settings of the node that responds',
  description:
    'Returns every setting with the value that applies and where it comes from, and the rate limits in force. What the environment sets wins over what is stored in the database, and that over the default. Secrets are not shown.',
  response: {
    200: describeResponse(settingsSchema, {
      description: 'The settings.',
      headers: { ETag: 'Version of what is stored in the database.' },
      examples: { settings: examples.settings },
    }),
  },
} as const;

const updateSettingsOperation = {
  operationId: 'updateSettings',
  tags,
  summary: 'Change settings',
  description:
    'Changes the given settings only (RFC 7396) and rejects any others. They take effect on the node that responds at once, on all others within five seconds, and stay when the service is restarted. Values are texts as in the environment; `null`, like an empty text, resets a setting to its default. A setting that the environment fixes cannot be changed. A setting that `listSettings` shows with the scope `admin` needs that scope. A shorter `EVENTS_DAYS` takes effect after seven days. All changes are made, or none.',
  headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
  body: { ...changesSchema, examples: [examples.changes] },
  response: {
    200: describeResponse(settingsSchema, {
      description: 'All settings after the change.',
      headers: { ETag: 'Version after the change.' },
      examples: { changed: examples.changed },
    }),
  },
} as const;

export const configuration: FeaturePlugin<ConfigurationDeps> = async (app, deps) => {
  const { settings } = deps;
  const sendSettings = (reply: FastifyReply) =>
    reply
      .header('etag', versionETag(settings.stored.version))
      .send({ message: 'Settings', data: settingsView(deps) });

  app.get(
    '/api/v1/admin/settings',
    { schema: listSettingsOperation, config: { access: 'admin', scope: 'settings:read' } },
    async (_request, reply) => {
      // Another node may have changed them just now: the ETag has to be that of the latest version.
      await settings.refresh();
      return sendSettings(reply);
    },
  );

  app.patch(
    '/api/v1/admin/settings',
    {
      schema: updateSettingsOperation,
      bodyLimit: MAX_BODY_BYTES,
      config: {
        access: 'admin',
        scope: 'settings:write',
        recentSignIn: 'always',
        problems: ['setting_fixed'],
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const changes = body as Readonly<Record<string, string | null>>;
      const { scopes } = getAdminCaller(request).credential;
      await changeSettings(deps, { changes, scopes, isExpected: ifMatch(headers) });
      return sendSettings(reply);
    },
  );
};

interface ListedSettings {
  readonly settings: LiveSettings;
  readonly startSettings: readonly EffectiveSetting[];
}

/** Returns all settings with the values that apply now, in the order of the table. */
export function listSettings({ settings, startSettings }: ListedSettings) {
  const changeable = new Map(settings.list().map((setting) => [setting.name, setting]));
  return startSettings.map((setting) => {
    const {
      format = null,
      group,
      title,
      meaning,
      section = 'single-settings',
    } = DEFINITIONS.get(setting.name)!;
    const docs = `/docs/operations#${section}`;
    const shown = changeable.get(setting.name) ?? setting;
    const isChangeable = changeable.has(setting.name);
    const scope = isChangeable ? getScopeOfChange(setting.name) : null;
    return { ...shown, is_changeable: isChangeable, scope, format, group, title, meaning, docs };
  });
}

export function settingsView(deps: ListedSettings) {
  const { limits } = deps.settings.current;
  return { settings: listSettings(deps), limits: LIMIT_NAMES.map((name) => limitView(name, limits)) };
}

function limitView(name: LimitName, limits: Limits) {
  const quota = limits[name];
  return { name, quota: quota?.limit ?? null, window_seconds: quota?.windowSeconds ?? null };
}
