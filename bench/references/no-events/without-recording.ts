/** Preloaded by `--import`: the service records no events. */
import { replaceModule } from './replace-module.ts';

replaceModule('src/features/events/record-event.ts', 'bench/references/no-events/record-event.ts');
