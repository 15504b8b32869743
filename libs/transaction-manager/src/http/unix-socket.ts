import { lstat, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';

/** Only the user of this process may write to the file, and so connect. */
const OWN = 0o177;

/**
 * Listens on a socket file that only this user may access. A file that a killed process left behind is removed; one with
 * a listening process is not.
 * @throws as `listen` of a server, with EADDRINUSE when a process listens on it or it is not a socket
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  try {
    await bind(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !(await isLeftOver(path))) throw error;
    await rm(path);
    await bind(server, path);
  }
}

function bind(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    // The file is made within the call.
    const before = process.umask(OWN);
    server.listen(path, () => {
      server.removeAllListeners('error');
      done();
    });
    process.umask(before);
  });
}

async function isLeftOver(path: string): Promise<boolean> {
  if (!(await lstat(path)).isSocket()) return false;
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED'));
  });
}
