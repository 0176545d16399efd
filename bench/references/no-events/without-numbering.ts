/** Preloaded by `--import`: the service records events, which get no numbers. */
import { replaceModule } from './replace-module.ts';

replaceModule('src/features/events/numbering/numbering.ts', 'bench/references/no-events/numbering.ts');
