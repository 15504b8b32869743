import { isIP } from 'node:net';

/** Whether a request with this `Host` header may be served. */
export type HostRule = (hostHeader: string | undefined) => boolean;

/**
 * The rule against DNS rebinding: a web page can point a name of its own at this host, but it cannot make the
 * browser send another name. So an address literal is always allowed, and a name must be in the list.
 * @param names - without port; `*` allows any
 */
export function createHostRule(names: readonly string[]): HostRule {
  if (names.includes('*')) return () => true;
  const allowed = new Set(names.map((name) => name.toLowerCase()));
  // Nearly all requests, of one client and mostly of all, carry the same host.
  let lastServed: string | undefined;
  return (hostHeader) => {
    if (hostHeader === undefined) return false;
    if (hostHeader === lastServed) return true;
    const host = hostWithoutPort(hostHeader.toLowerCase());
    const served = isIP(host) !== 0 || allowed.has(host);
    if (served) lastServed = hostHeader;
    return served;
  };
}

function hostWithoutPort(host: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/, '').replace(/\.$/, '');
}
