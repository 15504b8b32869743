import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../src/services.js';
import type { Manifest } from './manifest.js';

const run = promisify(execFile);
export const CHART = join(ROOT, 'docker/charts/tetrad');
/** Less than what a test file may take: the next run goes on from what this one has compiled. */
const BUILD_SECONDS = 150;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** @returns Helm, built from the Go module proxy the first time; the reason when it cannot be had */
export async function findHelm(): Promise<{ readonly path: string } | { readonly lacking: string }> {
  try {
    const { stdout } = await run(join(ROOT, '.ci/install-helm'), [String(BUILD_SECONDS)]);
    return { path: stdout.trim() };
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return { lacking: (stderr.trim() || message).split('\n', 1)[0] ?? '' };
  }
}

export interface Rendering {
  /** Name of a file with values, of the chart's folder. */
  readonly values: string;
  /** `KEY=VALUE` each, above the file. */
  readonly set?: readonly string[];
}

/** Renders the chart as release `tetrad` in the namespace `ledger`. */
export class Helm {
  constructor(private readonly path: string) {}

  /** @throws Error with what Helm says */
  async text({ values, set = [] }: Rendering): Promise<string> {
    const words = ['template', 'tetrad', CHART, '--namespace', 'ledger', '--kube-version', '1.30.0'];
    const files = ['--values', join(CHART, values), ...set.flatMap((one) => ['--set', one])];
    const { stdout } = await run(this.path, [...words, ...files], { maxBuffer: OUTPUT_BYTES });
    return stdout;
  }

  async manifests(rendering: Rendering): Promise<Manifest[]> {
    const documents = parseAllDocuments(await this.text(rendering));
    if ('empty' in documents) return [];
    for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
    return documents.map((document) => document.toJS() as Manifest | null).filter((one) => one !== null);
  }

  /** What the chart's own check says of it. */
  async lint(values: string): Promise<string> {
    const words = ['lint', '--strict', CHART, '--kube-version', '1.30.0', '--values', join(CHART, values)];
    return (await run(this.path, words)).stdout;
  }
}
