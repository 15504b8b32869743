/** Causes that an operator can remove, by the code of the system. */
const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user lacks the right',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'the file would be larger than this user may write',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it exists already',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this host',
  EIO: 'the disk does not answer as it should',
};

/** What was tried, by the call of the system. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  fsync: 'written',
  ftruncate: 'written',
  mkdir: 'created',
  link: 'created',
  rename: 'renamed',
  scandir: 'listed',
  stat: 'looked at',
  lstat: 'looked at',
  unlink: 'removed',
  rmdir: 'removed',
  chmod: 'given its permissions',
  chown: 'given to its owner',
};

/**
 * One line for the operator about an error of the file system.
 *
 * @param error anything that was thrown
 * @returns the path, what was tried and the cause; undefined for an error of another kind
 */
export function describeFileError(error: unknown): string | undefined {
  const { code, syscall, path, dest } = (error ?? {}) as Partial<Record<string, unknown>>;
  const cause = CAUSES[String(code)];
  const attempt = ATTEMPTS[String(syscall)];
  if (cause === undefined || attempt === undefined) return undefined;
  return `${String(dest ?? path ?? 'a file')} cannot be ${attempt}: ${cause} (${String(code)})`;
}

/**
 * Does the work on a file, so that its errors name the file: those of an open file do not.
 *
 * @param path the file
 * @param work what is done with it
 * @throws as the work does
 */
export async function onFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { path: known, syscall } = error as NodeJS.ErrnoException;
    if (known === undefined && syscall !== undefined) Object.assign(error as Error, { path });
    throw error;
  }
}
