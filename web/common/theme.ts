/** Applies the chosen colour scheme before the page is painted. Loaded as a classic script: exports nothing. */
const chosen = localStorage.getItem('theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
