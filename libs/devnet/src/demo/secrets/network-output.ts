import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceProcess } from '../../network/service-process.js';
import { errorAnswers } from '../call-rpc.js';
import type { Source } from './secret-forms.js';

/** What the operations port of every service shows. */
const OPERATIONS = ['/metrics', '/readyz', '/livez', '/version'];

/** The logs in the folder and below it, of databases and etcd as well. */
export async function logsBelow(folder: string): Promise<Source[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // The data of the database server is readable for its own account only.
    if (error.code === 'EACCES') return [];
    throw error;
  });
  const found = entries.map(async (entry): Promise<Source[]> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return logsBelow(path);
    return entry.name.endsWith('.log') ? [{ name: path, content: await readFile(path) }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** What the operations ports of the services answer. */
export async function operationsOutput(processes: readonly ServiceProcess[]): Promise<Source[]> {
  const urls = processes
    .filter(({ isRunning }) => isRunning)
    .flatMap(({ opsUrl }) => OPERATIONS.map((at) => opsUrl + at));
  return Promise.all(urls.map(async (url) => ({ name: url, content: await answerOf(url) })));
}

/** The errors that calls of the demo got so far. */
export function errorOutput(): Source[] {
  return [{ name: 'errors of calls', content: Buffer.from(errorAnswers.join('\n')) }];
}

/** Headers and body of the answer. */
export async function answerOf(url: string, init?: RequestInit): Promise<Buffer> {
  const response = await fetch(url, init);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
  return Buffer.concat([Buffer.from(headers), Buffer.from(await response.arrayBuffer())]);
}
