/** Routes of events. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { type EventExportDeps, eventExport } from './export/routes.ts';
import { type EventListDeps, eventLists } from './list/routes.ts';

export type EventDeps = EventListDeps & EventExportDeps;

export const events: FeaturePlugin<EventDeps> = async (app, deps) => {
  await app.register(eventLists, deps);
  await app.register(eventExport, deps);
};
