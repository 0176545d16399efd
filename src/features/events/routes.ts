/** Routes of events. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { type EventExportDeps, eventExport } from './export-routes.ts';
import { allEvents, type EventListDeps, ownEvents } from './list-routes.ts';
import { type EventStreamDeps, eventStream } from './stream-routes.ts';

export const events: FeaturePlugin<EventListDeps & EventExportDeps & EventStreamDeps> = async (app, deps) => {
  await app.register(allEvents, deps);
  await app.register(ownEvents, deps);
  await app.register(eventExport, deps);
  await app.register(eventStream, deps);
};
