/** The two pages, as HTML. */

export interface User {
  readonly name: string;
  readonly email: string | null;
}

export function renderLogin(message = ''): string {
  return render(`<h1>Log in</h1>
<p role="alert">${escapeHtml(message)}</p>
<form method="post" action="/login">
<p><label>Email<br><input name="email" type="email" autocomplete="username" required></label></p>
<p><label>Password<br><input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button type="submit">Log in</button></p>
</form>`);
}

export function renderUser({ name, email }: User): string {
  return render(`<h1>${escapeHtml(name)}</h1>
<p>${escapeHtml(email ?? '')}</p>
<form method="post" action="/logout"><button type="submit">Log out</button></form>`);
}

function render(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Backend with sessions</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
