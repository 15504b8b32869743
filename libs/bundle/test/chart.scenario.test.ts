import { beforeAll, expect, it } from '@jest/globals';
import { SERVICES } from '../src/services.js';
import { CERTIFICATES, DEV, PRODUCTION, TRUST, describeWithHelm, helm, named } from './chart/chart.js';
import { isAdded, schemaErrors, unknownKeys } from './chart/kubernetes-schemas.js';
import { containersIn, podsIn, selects, serviceOf, type Container, type Manifest } from './chart/manifest.js';
import { migrationUsage, unknownWords, unmountedPaths, wordsOf } from './chart/service-words.js';

const besidesTrust = (env: Container['env']) => env?.filter(({ name }) => name !== TRUST.name) ?? [];

/** Text that would be a secret, wherever it stands. */
const SECRETS = [
  /PRIVATE KEY/,
  /postgres(ql)?:\/\//i,
  /\b(0x)?[0-9a-f]{64}\b/i,
  /password\s*[=:]\s*['"]?\w+['"]?$/im,
];

describeWithHelm.each([
  ['values-dev.yaml', DEV],
  ['values-production.yaml', PRODUCTION],
  ['client certificates', CERTIFICATES],
])('the chart with %s', (_name, rendering) => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await helm.manifests(rendering);
  });

  it('runs every service', () => {
    expect(new Set(containersIn(manifests).map(serviceOf))).toEqual(new Set(SERVICES));
  });

  it("satisfies Kubernetes' schemas", async () => {
    const own = manifests.filter((one) => !isAdded(one));
    expect(await schemaErrors(own)).toEqual([]);
    expect(await unknownKeys(own)).toBe('');
  });

  it('gives services options, variables and ports that they have, and files that are mounted', async () => {
    const services = containersIn(manifests).filter(({ command }) => command === undefined);
    for (const container of services) {
      const { name } = container;
      expect({ name, unknown: await unknownWords(container) }).toEqual({ name, unknown: [] });
      expect({ name, unmounted: unmountedPaths(container) }).toEqual({ name, unmounted: [] });
      const { ports } = await wordsOf(serviceOf(container));
      const strange = container.ports?.filter(({ containerPort }) => !ports.has(containerPort));
      expect({ name, strange }).toEqual({ name, strange: [] });
    }
  });

  it('migrates every database before an installation and an upgrade, by the program of its image', async () => {
    const usage = await migrationUsage();
    const jobs = manifests.filter(({ kind }) => kind === 'Job');
    const nodes = named(manifests, 'StatefulSet', 'tetrad-node')?.spec.replicas ?? 0;
    expect(jobs).toHaveLength(2 * nodes + 3);
    for (const job of jobs) {
      expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      for (const container of containersIn([job])) {
        const words = [...(container.command ?? [])];
        const service = serviceOf(container);
        const variable = `TETRAD_${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;
        expect(words.pop()).toBe(service);
        expect(usage).toContain(`${words.join(' ')} SERVICE`);
        expect(besidesTrust(container.env).map(({ name }) => name)).toEqual([variable]);
        expect(usage).toContain('TETRAD_<SERVICE>_DATABASE_URL');
      }
    }
  });

  it('holds no secret', async () => {
    const text = await helm.text(rendering);
    for (const secret of SECRETS) expect(text).not.toMatch(secret);
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
    for (const { env } of containersIn(manifests))
      for (const { name, value } of besidesTrust(env))
        expect({ name, value }).toEqual({ name, value: undefined });
  });

  it('gives pods no rights that they do not need', () => {
    for (const { spec } of podsIn(manifests)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({ requests: expect.anything(), limits: expect.anything() });
      }
    }
  });

  it('asks services on their operations port whether they live and are ready', () => {
    for (const container of containersIn(manifests).filter(({ command }) => command === undefined)) {
      const port = container.ports?.find(({ name }) => /operations|ops/.test(name))?.name;
      // A fault of a manager must not take the public calls of its node away.
      const path = container.name === 'transaction-manager' ? '/readyz/started' : '/readyz/pod';
      expect(container).toMatchObject({
        livenessProbe: { httpGet: { path: '/livez', port } },
        readinessProbe: { httpGet: { path, port } },
        lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
      });
    }
  });

  it('replaces a pod only when the one before has been ready for a while, and lets broken ones be evicted', () => {
    for (const { kind, metadata, spec } of manifests) {
      if (kind === 'StatefulSet' || kind === 'Deployment')
        expect({ name: metadata.name, minReadySeconds: spec.minReadySeconds }).toEqual({
          name: metadata.name,
          minReadySeconds: 15,
        });
      if (kind === 'PodDisruptionBudget')
        expect({ name: metadata.name, policy: spec.unhealthyPodEvictionPolicy }).toEqual({
          name: metadata.name,
          policy: 'AlwaysAllow',
        });
    }
  });

  it('selects pods that exist, at ports that they have', () => {
    const pods = podsIn(manifests);
    for (const { kind, metadata, spec } of manifests) {
      const wanted = kind === 'Service' ? spec.selector : spec.selector?.matchLabels;
      if (!['Service', 'PodDisruptionBudget'].includes(kind) || wanted === undefined) continue;
      const selected = pods.filter((pod) => selects(wanted, pod));
      const ports = selected
        .flatMap(({ spec: { containers } }) => containers)
        .flatMap((one) => one.ports ?? []);
      expect({ kind, name: metadata.name, pods: selected.length }).toEqual({
        kind,
        name: metadata.name,
        pods: 1,
      });
      for (const { targetPort } of spec.ports ?? [])
        expect(ports.map(({ name }) => name)).toContain(targetPort);
    }
  });
});
