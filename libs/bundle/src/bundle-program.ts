import { build } from 'esbuild';
import { ROOT } from './services.js';
import { workspaceSources } from './workspace-sources.js';

/**
 * Bundles one TypeScript program of this repository, so that plain Node.js runs it from its sources.
 *
 * @param source path of the program from the root of the repository
 * @param outfile where the bundle is written; within the repository, because packages stay external
 */
export async function bundleProgram(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile,
    absWorkingDir: ROOT,
    alias: await workspaceSources(),
    packages: 'external',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
}
