/** Routes of events. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { type EventExportDeps, eventExport } from './export/routes.ts';
import { type EventListDeps, eventLists } from './list/routes.ts';
import { type EventStreamDeps, eventStream } from './stream/routes.ts';

export type EventDeps = EventListDeps & EventExportDeps & EventStreamDeps;

export const events: FeaturePlugin<EventDeps> = async (app, deps) => {
  await app.register(eventLists, deps);
  await app.register(eventExport, deps);
  await app.register(eventStream, deps);
};
