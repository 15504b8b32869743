const WEB = ['http:', 'https:'];

/** Whether the text is `http://HOST:PORT` or `https://HOST:PORT`, and nothing more. */
export function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, username } = new URL(text);
  return WEB.includes(protocol) && pathname === '/' && search === '' && username === '';
}
