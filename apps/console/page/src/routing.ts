import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};
addEventListener('popstate', announce);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The path and the query of the address. */
export function useAddress(): URL {
  const href = useSyncExternalStore(subscribe, () => location.href);
  return new URL(href);
}

/** Shows another view; the node that is asked stays the same. */
export function navigate(path: string): void {
  history.pushState(undefined, '', withNode(path));
  scrollTo(0, 0);
  announce();
}

/** Asks another node for the same view. */
export function chooseNode(name: string): void {
  const url = new URL(location.href);
  url.searchParams.set('node', name);
  history.replaceState(undefined, '', url);
  announce();
}

/** The path with the node of the address, which links carry on. */
export function withNode(path: string): string {
  const node = new URL(location.href).searchParams.get('node');
  if (node === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}node=${encodeURIComponent(node)}`;
}
