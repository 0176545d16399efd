/** Enhancements of documents by scripts. */
import './documents.css';
import { addCopyButtons } from './copy-button.ts';
import { followSections } from './current-section.ts';
import { addThemeChoice } from './theme-choice.ts';

addThemeChoice();
addCopyButtons();
followSections();
