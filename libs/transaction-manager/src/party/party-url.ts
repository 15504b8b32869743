/** Most characters of a URL that a peer reports. */
const MAX_URL = 256;

/** The URL of a manager in the form for comparison, ending with `/`; undefined when it may not be called. */
export function parsePartyUrl(text: string): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash, href } = new URL(text);
  const plain = username === '' && password === '' && search === '' && hash === '';
  if (!plain || (protocol !== 'http:' && protocol !== 'https:')) return undefined;
  return href.endsWith('/') ? href : `${href}/`;
}
