import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { MAIN } from '../tetrad-process.js';

/** The first port of the pages, and how many follow it: `./tetrad up` with its defaults, and what joins it. */
const FIRST_PORT = 22_000;
export const PAGE_PORTS = 60;

/**
 * The shell blocks of a page, in order.
 * @param page - path below `docs`
 */
export function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the commands of pages in one folder, as a reader would in a clone, but on other ports. */
export class PageShell {
  private readonly shells: ChildProcess[] = [];

  private constructor(
    readonly folder: string,
    private readonly portBase: number,
  ) {}

  /** Makes the folder look like a clone that is installed and built. */
  static async open(folder: string, portBase: number): Promise<PageShell> {
    // The program that the launcher runs after the build.
    await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    await chmod(join(folder, 'tetrad'), 0o755);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return new PageShell(folder, portBase);
  }

  /** The text with the ports of this run. */
  onOwnPorts(text: string): string {
    return text.replace(/\b22(0[0-5]\d)\b/g, (port) => String(this.portBase + Number(port) - FIRST_PORT));
  }

  /** Runs blocks in one shell, which ends at the first command that fails. What they leave in the background goes on. */
  run(blocks: readonly string[]): Promise<Ran> {
    const child = spawn('sh', ['-eu', '-c', this.onOwnPorts(blocks.join('\n'))], {
      cwd: this.folder,
      env: { ...process.env, NODE_OPTIONS: '' },
      // A group of its own: with it end the processes that the page started, however the page ends.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.shells.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ code, stdout, stderr }));
    });
  }

  /** Ends what the pages left running. */
  end(): void {
    for (const { pid } of this.shells)
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      } catch {
        // The whole group has ended.
      }
  }
}
