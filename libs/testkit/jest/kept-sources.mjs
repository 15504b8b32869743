import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Paths by the folder of the importing file and the specifier. */
const resolved = new Map();
/** What a source was transformed into, by path, with the size and the time of the file that was read. */
const transformed = new Map();

/**
 * Keeps where imports lead, and what sources are transformed into, for the test files that this process runs later. Each of them has a
 * Jest runtime of its own, which compares each import with the name of every package of this repository, and reads and hashes each source.
 * @param esmLoader - that of the Jest runtime of the file
 */
export function keepSources({ resolution, transformCache }) {
  keepPaths(resolution);
  keepTransformed(transformCache);
}

/** What is not found is looked for again. */
function keepPaths(resolution) {
  const resolve = resolution.resolveEsmAsync.bind(resolution);
  resolution.resolveEsmAsync = async (from, specifier) => {
    if (!specifier) return from;
    const key = `${dirname(from)}\0${specifier}`;
    const known = resolved.get(key);
    if (known !== undefined) return known;
    const path = await resolve(from, specifier);
    resolved.set(key, path);
    return path;
  };
}

/** A file that was written since is read anew, as in a run that watches. */
function keepTransformed(transformCache) {
  const transform = transformCache.transform.bind(transformCache);
  transformCache.transform = (path, options) => {
    if (options?.supportsStaticESM !== true || options.isInternalModule === true)
      return transform(path, options);
    const { size, mtimeMs } = statSync(path);
    const known = transformed.get(path);
    if (known?.size === size && known.mtimeMs === mtimeMs) return give(transformCache, path, known.result);
    const code = transform(path, options);
    transformed.set(path, { size, mtimeMs, result: transformCache.getEntries().get(path) });
    return code;
  };
}

/** As if the runtime had transformed it: stacks are shown with its source map. */
function give(transformCache, path, result) {
  transformCache.getEntries().set(path, result);
  if (result.sourceMapPath) transformCache.getSourceMaps().set(path, result.sourceMapPath);
  return result.code;
}
