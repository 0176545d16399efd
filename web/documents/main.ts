/** What documents have in addition where there are scripts. */
import './documents.css';
import { addCopyButtons } from './copy-button.ts';
import { followSections } from './current-section.ts';
import { addThemeChoice } from './theme-choice.ts';

addThemeChoice();
addCopyButtons();
followSections();
