/** Another name for a method, or for all methods of a namespace. */
export interface RpcAlias {
  /** The name that clients use. */
  readonly from: string;
  /** The name here. */
  readonly to: string;
}

/** Namespace of a method: the part before the first separator (`eth_call`, `Coin.WalletHas`). */
export function namespaceOf(method: string): string {
  return method.split(/[_.]/, 1)[0] as string;
}

/** Returns the name under which a method is known here; an alias of the whole name takes precedence over one of its namespace. */
export function createNameResolver(aliases: readonly RpcAlias[]): (method: string) => string {
  if (aliases.length === 0) return (method) => method;
  const targets = new Map(aliases.map(({ from, to }) => [from, to]));
  return (method) => {
    const whole = targets.get(method);
    if (whole !== undefined) return whole;
    const namespace = namespaceOf(method);
    const target = targets.get(namespace);
    return target === undefined ? method : target + method.slice(namespace.length);
  };
}
