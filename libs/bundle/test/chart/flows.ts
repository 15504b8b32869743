import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CHART } from './helm.js';
import { podsIn, type Labels, type Manifest, type Pod } from './manifest.js';

/** A connection: from a component, or from a list of `networkPolicy`, to a component or a database. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** The lists of peers in the values, which name sources that are not of the release. */
type PeerLists = Readonly<Record<string, readonly object[]>>;

interface PolicyValues {
  readonly networkPolicy: Readonly<Record<string, unknown>> & {
    readonly databases: Readonly<Record<string, Labels>>;
  };
}

const COMPONENT = 'app.kubernetes.io/component';
const LISTS = ['clients', 'peers', 'operations'];

export const nameOf = ({ from, to, port }: Flow) => `${from} → ${to}:${port}`;

/** The table under `## Flows` of the chart's README. */
export async function documentedFlows(): Promise<Flow[]> {
  const readme = await readFile(join(CHART, 'README.md'), 'utf8');
  const [, section = ''] = /\n## Flows\n([\s\S]*?)\n## /.exec(readme) ?? [];
  return [...section.matchAll(/^\| ([a-z-]+) +\| ([a-z-]+) +\| (\d+) +\|/gm)].map(
    ([, from = '', to = '', port]) => ({ from, to, port: Number(port) }),
  );
}

/** The values of a file of the chart that policies refer to. */
export async function policyValues(file: string): Promise<PolicyValues> {
  return parse(await readFile(join(CHART, file), 'utf8')) as PolicyValues;
}

/** Every connection, of those that could be, that some policy admits: all sources, all targets, all their ports. */
export function admittedFlows(manifests: readonly Manifest[], { networkPolicy }: PolicyValues): Flow[] {
  const pods = podsIn(manifests).filter(({ of }) => of.kind !== 'Job');
  const lists = Object.fromEntries(
    LISTS.map((name) => [name, (networkPolicy[name] ?? []) as readonly object[]]),
  );
  const sources = [...pods.map((pod) => pod.labels[COMPONENT] ?? ''), ...LISTS];
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const check = { policies, pods, lists };
  return targetsOf(pods, networkPolicy.databases).flatMap(({ name: to, labels, ports }) =>
    ports.flatMap((port) =>
      sources.map((from) => ({ from, to, port })).filter((flow) => isAdmitted(flow, labels, check)),
    ),
  );
}

interface Target {
  readonly name: string;
  readonly labels: Labels;
  readonly ports: readonly number[];
}

function targetsOf(pods: readonly Pod[], databases: Readonly<Record<string, Labels>>): Target[] {
  const ports = ({ spec }: Pod) =>
    spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
  return [
    ...pods.map((pod) => ({ name: pod.labels[COMPONENT] ?? '', labels: pod.labels, ports: ports(pod) })),
    ...Object.entries(databases).map(([name, labels]) => ({
      name: `database-${name}`,
      labels,
      ports: [5_432],
    })),
  ];
}

function isAdmitted(
  { from, port }: Flow,
  target: Labels,
  {
    policies,
    pods,
    lists,
  }: { readonly policies: readonly Manifest[]; readonly pods: readonly Pod[]; readonly lists: PeerLists },
): boolean {
  const source = pods.find(({ labels }) => labels[COMPONENT] === from)?.labels;
  const rules = policies
    .filter(({ spec }) => matches(spec.podSelector?.matchLabels ?? {}, target))
    .flatMap(({ spec }) => spec.ingress ?? [])
    .filter(({ ports }) => ports.some((one) => one.port === port));
  return rules.some(({ from: peers = [] }) =>
    peers.some((peer) => {
      const { podSelector, namespaceSelector } = peer as {
        readonly podSelector?: { readonly matchLabels: Labels };
        readonly namespaceSelector?: object;
      };
      // A selector of pods alone means those of the release's namespace.
      if (source !== undefined)
        return podSelector !== undefined && namespaceSelector === undefined
          ? matches(podSelector.matchLabels, source)
          : false;
      return (lists[from] ?? []).some((listed) => isDeepStrictEqual(listed, peer));
    }),
  );
}

const matches = (wanted: Labels, labels: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);
