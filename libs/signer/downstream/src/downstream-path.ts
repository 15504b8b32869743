/** The path that a caller asks for, in normal form and without the query. In: target — as in `downstreamPath` */
export function requestedPath(target: string): string {
  return downstreamPath('', target).split('?', 1)[0] ?? '/';
}

/**
 * The path to request from the client: the prefix, then the caller's path, normalized.
 *
 * In:     prefix — path of the client's JSON-RPC; target — of the request line, query included
 * Out:    runs of slashes are one, no slash at the end but that of the root; `..` never leads out of the prefix
 * Source: signing-proxy.md, section 9; it drops queries, which have no use
 */
export function downstreamPath(prefix: string, target: string): string {
  // A proxy may be sent a whole URL; only its path counts, the host is ours to choose.
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const { pathname, search } = new URL(`http://client/${path.replace(/^\/+/, '')}`);
  const joined = `/${prefix}/${pathname}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return `${joined}${search}`;
}
