import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const list = (folder: string) => readdirSync(join(root, folder)).sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions?: unknown;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
}

describe('the workflow of a hosted CI', () => {
  const workflow = parse(read('.github/workflows/ci.yml')) as {
    readonly permissions: unknown;
    readonly jobs: Readonly<Record<string, Job>>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const lines = steps.flatMap(({ run = '' }) => run.split('\n')).filter((line) => line !== '');
  const matrixOf = (job: string, name: string) => workflow.jobs[job]?.strategy?.matrix[name];

  it('may only read, and knows no secret', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.values(workflow.jobs).filter((job) => job.permissions !== undefined)).toEqual([]);
    expect(read('.github/workflows/ci.yml')).not.toContain('secrets.');
  });

  it('names actions by their major version', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions).not.toEqual([]);
    expect(actions.filter((action) => !/^actions\/[a-z-]+@v\d+$/.test(action))).toEqual([]);
  });

  it('runs programs and scripts that there are', () => {
    const programs = lines.map((line) => line.split(' ')[0] ?? '').filter((word) => /^\.?\.?\//.test(word));
    const own = lines.flatMap((line) => /^(\.\/tetrad|\.ci\/\S+)/.exec(line)?.[1] ?? []);
    expect(own).toEqual(expect.arrayContaining(['./tetrad', '.ci/install-etcd', '.ci/node-versions']));
    expect([...programs, ...own].filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...(matrixOf('sources', 'check') ?? [])]));
  });

  it('runs each part of the suite', () => {
    const shards = matrixOf('test', 'shard') ?? [];
    expect(shards).toEqual(shards.map((_, index) => index + 1));
    expect(lines).toContain(`./tetrad test --second-run --shard=\${{ matrix.shard }}/${shards.length}`);
  });

  it('builds each image', () => {
    const services = list('docker').filter((name) => existsSync(join(root, 'docker', name, 'Dockerfile')));
    expect(matrixOf('images', 'service')).toEqual(services);
  });
});

describe('the development container', () => {
  it('installs what CI installs, and demands it', () => {
    const dockerfile = read('.devcontainer/Dockerfile');
    const copied = /^COPY (.+) \S+$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
    const ofCi = list('.ci').filter((name) => name.startsWith('install-'));
    // Helm is built from the module proxy of Go, which the container does not have, and it has a Node.js.
    expect([...copied, 'install-helm', 'install-node'].sort()).toEqual(ofCi);
    const configuration = JSON.parse(read('.devcontainer/devcontainer.json')) as {
      readonly build: { readonly context: string };
    };
    expect(configuration.build.context).toBe('../.ci');
  });
});
