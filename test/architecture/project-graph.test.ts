import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

interface Target {
  readonly cache?: boolean;
  readonly dependsOn?: readonly unknown[];
  readonly inputs?: readonly unknown[];
  readonly outputs?: readonly string[];
}

interface ProjectGraph {
  readonly graph: {
    readonly nodes: Record<
      string,
      { data: { root: string; tags?: string[]; targets?: Record<string, Target> } }
    >;
    readonly dependencies: Record<string, { source: string; target: string }[]>;
  };
}

function readProjectGraph(): ProjectGraph['graph'] {
  const folder = mkdtempSync(join(tmpdir(), 'tetrad-graph-'));
  const file = join(folder, 'graph.json');
  const run = spawnSync(join(root, 'node_modules/.bin/nx'), ['graph', '--file', file], {
    cwd: root,
    encoding: 'utf8',
    // A separate cache, so that tests which compute the graph at the same time do not interfere.
    env: {
      ...process.env,
      NX_DAEMON: 'false',
      NX_ISOLATE_PLUGINS: 'false',
      NX_WORKSPACE_DATA_DIRECTORY: folder,
      NODE_OPTIONS: '',
    },
  });
  if (run.status !== 0) throw new Error(`nx graph failed: ${run.stdout}${run.stderr}`);
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as ProjectGraph;
  rmSync(folder, { recursive: true, force: true });
  return graph;
}

/** The first cycle found by depth-first search, as the names along it. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of edges.get(name) ?? []) {
      const cycle = visit(next, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of edges.keys()) {
    const cycle = visit(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('the project graph', () => {
  const graph = readProjectGraph();
  const projects = Object.keys(graph.nodes);

  it('has no cycle', () => {
    const edges = new Map(
      projects.map((name) => [name, (graph.dependencies[name] ?? []).map(({ target }) => target)]),
    );
    expect(edges.get('rpc')).toContain('types');
    expect(findCycle(edges)).toBeUndefined();
  });

  it('finds a cycle when there is one', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCycle(edges)).toEqual(['b', 'c', 'b']);
  });

  it('calls every project by a name without a scope', () => {
    expect(projects.filter((name) => name.includes('@') || name.includes('/'))).toEqual([]);
  });

  it('gives every project one layer and one scope', () => {
    for (const name of projects) {
      const tags = graph.nodes[name]?.data.tags ?? [];
      expect([name, tags.filter((tag) => tag.startsWith('layer:')).length]).toEqual([name, 1]);
      expect([name, tags.filter((tag) => tag.startsWith('scope:')).length]).toEqual([name, 1]);
    }
  });

  const SERVICES = ['console', 'node', 'rollup-operator', 'signer', 'transaction-manager', 'wallet'];
  const targetsOf = (name: string) => graph.nodes[name]?.data.targets ?? {};

  it('calls each service by its name, and gives it the targets of a service', () => {
    for (const name of SERVICES) {
      expect(graph.nodes[name]?.data.root).toBe(`apps/${name}`);
      const usual = ['serve', 'build', 'typecheck', 'lint', 'test', 'integration', 'e2e', 'docker'];
      expect({ name, targets: Object.keys(targetsOf(name)) }).toEqual({
        name,
        targets: expect.arrayContaining(name === 'console' ? usual : [...usual, 'migrate']),
      });
    }
  });

  it('builds a project after those that it imports, and keeps what each build writes', () => {
    for (const name of projects) {
      const { build } = targetsOf(name);
      if (build === undefined) continue;
      expect({ name, first: build.dependsOn?.[0] }).toEqual({ name, first: '^build' });
      expect({ name, outputs: build.outputs }).toEqual({
        name,
        outputs: expect.arrayContaining([
          '{projectRoot}/dist',
          ...(SERVICES.includes(name) ? ['{projectRoot}/bundle'] : []),
        ]),
      });
    }
  });

  it('keeps the results of what checks a project, by its files and those of what it imports', () => {
    for (const name of projects) {
      for (const target of ['lint', 'typecheck', 'test', 'integration', 'e2e']) {
        // The generators run in a copy of everything.
        if (name === 'tools' && target === 'e2e') continue;
        const { cache, inputs = [] } = targetsOf(name)[target] ?? { cache: true, inputs: ['^shared'] };
        const ofImports = target === 'lint' ? '^manifest' : '^shared';
        expect({
          name,
          target,
          cache,
          reads: inputs.includes(ofImports) || inputs.includes('^shared'),
        }).toEqual({ name, target, cache: true, reads: true });
      }
    }
  });
});
