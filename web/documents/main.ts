/** Enhancements of documents by scripts. */
import './documents.css';
import { paintAll } from '../common/code-colors.ts';
import { addCopyButtons } from './copy-button.ts';
import { followSections } from './current-section.ts';
import { addSearch } from './search/search-dialog.ts';
import { addThemeChoice } from './theme-choice.ts';

addSearch();
addThemeChoice();
addCopyButtons();
followSections();
paintAll();
