import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { LIMIT_NAMES, type LimitName, type Limits } from '../../../rate-limits/limits.ts';
import type { EffectiveSetting } from './effective-setting.ts';
import { settingsSchema } from './schemas.ts';

export interface ConfigurationDeps {
  readonly settings: readonly EffectiveSetting[];
  readonly limits: Limits;
}

function limitView(name: LimitName, limits: Limits) {
  const quota = limits[name];
  return { name, quota: quota?.limit ?? null, window_seconds: quota?.windowSeconds ?? null };
}

const example = {
  message: 'Settings',
  data: {
    settings: [
      { name: 'PORT', value: '3000', source: 'default', is_secret: false, is_set: true },
      { name: 'ADMIN_TOKEN', value: null, source: 'environment', is_secret: true, is_set: true },
    ],
    limits: [{ name: 'anon', quota: 120, window_seconds: 60 }],
  },
};

export const configuration: FeaturePlugin<ConfigurationDeps> = async (app, { settings, limits }) => {
  app.get(
    '/api/v1/admin/settings',
    {
      schema: {
        operationId: 'listSettings',
        tags: ['Administration'],
        summary: 'List the settings of the node that responds',
        description:
          'Returns every environment variable that the service reads with the value that applies, and the rate limits in force. Secrets are not shown.',
        response: {
          200: describeResponse(settingsSchema, {
            description: 'The settings.',
            examples: { settings: example },
          }),
        },
      },
      config: { access: 'admin' },
    },
    async () => {
      const data = { settings, limits: LIMIT_NAMES.map((name) => limitView(name, limits)) };
      return { message: 'Settings', data };
    },
  );
};
