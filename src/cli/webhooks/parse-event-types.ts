import { type EventType, isEventType } from '../../features/events/event-types.ts';

/** Parses types of events that commas separate. @throws Error that names an unknown one */
export function parseEventTypes(text: string): EventType[] {
  return text.split(',').map((each) => {
    const type = each.trim();
    if (!isEventType(type)) throw new Error(`--types has an unknown type of events: ${type}`);
    return type;
  });
}
