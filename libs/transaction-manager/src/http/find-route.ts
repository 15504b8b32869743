import { ManagerError } from '../manager-error.js';
import type { Route } from './route.js';

export interface FoundRoute {
  readonly route: Route;
  readonly path: readonly string[];
  readonly mediaType: string;
}

interface Asked {
  readonly method: string;
  /** Without the query, as it came. */
  readonly path: string;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
}

/**
 * The route of a request.
 * @throws ManagerError, with statuses and texts of existing managers
 */
export function findRoute(routes: readonly Route[], asked: Asked): FoundRoute {
  const here = routes.flatMap((route) => {
    const path = matchPath(route.path, asked.path);
    return path === undefined ? [] : [{ route, path }];
  });
  if (here.length === 0) throw new ManagerError('not-found', 'HTTP 404 Not Found');
  const ofMethod = here.filter(({ route }) => route.method === asked.method);
  if (ofMethod.length === 0) throw new ManagerError('rejected', 'HTTP 405 Method Not Allowed');
  const contentType = mediaTypeOf(asked.contentType);
  const taken = ofMethod.filter(({ route }) => route.consumes?.includes(contentType) ?? true);
  if (taken.length === 0) throw new ManagerError('rejected', 'HTTP 415 Unsupported Media Type');
  for (const found of taken) {
    const mediaType = agree(found.route, contentType, asked.accept);
    if (mediaType !== undefined) return { ...found, mediaType };
  }
  throw new ManagerError('rejected', 'HTTP 406 Not Acceptable');
}

/** Request and answer have one media type where both are of the versioned kind. */
function agree(route: Route, contentType: string, accept: string | undefined): string | undefined {
  const { produces, consumes } = route;
  if (produces === undefined) return contentType;
  const offered = consumes !== undefined && produces.includes(contentType) ? [contentType] : produces;
  const wanted = accept?.split(',', 32).map(mediaTypeOf);
  return offered.find((type) => wanted === undefined || wanted.includes(type) || wanted.includes('*/*'));
}

function mediaTypeOf(header: string | undefined): string {
  return (header?.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The parts that match `*`, decoded; a `+` stays a `+`. */
function matchPath(pattern: string, path: string): string[] | undefined {
  if (!pattern.includes('*')) return pattern === path ? [] : undefined;
  const [expected, parts] = [pattern.split('/'), path.split('/')];
  if (expected.length !== parts.length) return undefined;
  if (!expected.every((part, index) => part === '*' || part === parts[index])) return undefined;
  return parts.filter((_, index) => expected[index] === '*').map(decodePart);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ManagerError('invalid', 'HTTP 400 Bad Request');
  }
}
