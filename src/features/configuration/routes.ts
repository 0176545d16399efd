import { LIMIT_NAMES, type LimitName, type Limits } from '../../plugins/rate-limits/limits.ts';
import { type Route, route } from '../../http/route.ts';
import type { EffectiveSetting } from './effective-setting.ts';
import { settingsSchema } from './schemas.ts';

export interface ConfigurationDeps {
  readonly settings: readonly EffectiveSetting[];
  readonly limits: Limits;
}

export function configurationRoutes({ settings, limits }: ConfigurationDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/settings',
      operationId: 'listSettings',
      tag: 'Administration',
      summary: 'List the settings of the node that responds',
      description:
        'Returns every environment variable that the service reads with the value that applies, and the rate limits in force. Secrets are not shown.',
      access: 'admin',
      responses: {
        200: { description: 'The settings.', schema: settingsSchema, examples: { settings: example } },
      },
      handle: async () => {
        const data = { settings, limits: LIMIT_NAMES.map((name) => limitView(name, limits)) };
        return { status: 200, body: { message: 'Settings', data } };
      },
    }),
  ];
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
