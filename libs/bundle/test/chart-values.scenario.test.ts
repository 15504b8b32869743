import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../src/services.js';
import { CERTIFICATES, DEV, PRODUCTION, TRUST, describeWithHelm, helm, named } from './chart/chart.js';
import { containersIn, podsIn, type Container } from './chart/manifest.js';
import { migrationUsage } from './chart/service-words.js';

/** What is read of the monitors of the Prometheus operator. */
interface MonitorSpec {
  readonly selector: { readonly matchExpressions: readonly { readonly values: readonly string[] }[] };
  readonly endpoints?: readonly { readonly port: string }[];
  readonly podMetricsEndpoints?: readonly { readonly port: string }[];
}

describeWithHelm('the chart', () => {
  it('demands authentication of every caller in production', async () => {
    const insecure = containersIn(await helm.manifests(PRODUCTION)).filter(({ args }) =>
      args?.includes('--insecure'),
    );
    expect(insecure).toEqual([]);
    const open = containersIn(await helm.manifests(PRODUCTION)).filter(({ args }) =>
      args?.includes('--http-listen-host=0.0.0.0'),
    );
    expect(open).toHaveLength(5);
    for (const { args } of open) expect(args).toContain('--auth-jwt-key-file=/run/tokens/token-key.pub');
  });

  it.each([
    [1, 1],
    [4, 3],
    [7, 5],
    [10, 7],
  ])('keeps, of %i validators, the %i that a block needs', async (count, quorum) => {
    const manifests = await helm.manifests({ ...DEV, set: [`nodes.count=${count}`] });
    expect(named(manifests, 'StatefulSet', 'tetrad-node')?.spec.replicas).toBe(count);
    expect(named(manifests, 'PodDisruptionBudget', 'tetrad-node')?.spec.minAvailable).toBe(quorum);
  });

  it('lets one pod go at a time where the release has a part of the validators', async () => {
    const manifests = await helm.manifests({ ...DEV, set: ['nodes.count=2,nodes.validators=7'] });
    const budget = named(manifests, 'PodDisruptionBudget', 'tetrad-node')?.spec;
    expect([budget?.minAvailable, budget?.maxUnavailable]).toEqual([undefined, 1]);
  });

  it.each([
    ['nodes.count=0', 'minimum: got 0, want 1'],
    ['nodes.count=2', 'nodes.count: of two validators both must always be up'],
    ['nodes.validators=2,nodes.count=1', 'nodes.count: of two validators both must always be up'],
    ['terminationGracePeriodSeconds=15', '15 leave no time for a stop of ten seconds'],
    ['nodes.cuont=4', "additional properties 'cuont' not allowed"],
    ['surprise=1', "additional properties 'surprise' not allowed"],
    ['wallet.databaseSecret.url=x', "additional properties 'url' not allowed"],
    ['nodes.extraArgs={--max-peers 20}', 'does not match pattern'],
  ])('refuses %s', async (set, reason) => {
    await expect(helm.text({ ...DEV, set: [set] })).rejects.toThrow(reason);
  });

  it.each([
    ['signer.downstream.host', 'signer.tokenSecret.name'],
    ['rollup.chainUrl', 'rollup.tokenSecret.name'],
  ])('refuses nodes that %s has no token for', async (option, secret) => {
    await expect(helm.text({ ...PRODUCTION, set: [`${secret}=`] })).rejects.toThrow(
      `${option}: the nodes ask callers`,
    );
  });

  it('gives the console, the signer and the batcher the token of their Secret, and no other container', async () => {
    const withToken = containersIn(await helm.manifests(PRODUCTION)).filter(({ volumeMounts }) =>
      volumeMounts?.some(({ mountPath }) => mountPath === '/run/token'),
    );
    const tokens = (args: readonly string[]) => args.filter((arg) => /-token-file=/.test(arg));
    expect(withToken.map(({ name, args = [] }) => [name, tokens(args)])).toEqual([
      [
        'console',
        [
          '--node-token-file=/run/token/token',
          ...['rollup', 'signer', 'wallet'].map((one) => `--${one}-token-file=/run/${one}-token/token`),
        ],
      ],
      ['rollup-batcher', ['--chain-token-file=/run/token/token']],
      ['signer', ['--downstream-http-token-file=/run/token/token']],
    ]);
  });

  it.each([
    ['signer', 'signer', 'signer', '--multikey-signer-directory=/run/remote-keys'],
    ['wallet', 'wallet', 'wallet', '--multikey-signer-directory=/run/remote-keys'],
    ['nodes', 'node', 'node', '--keystore-dir=/run/remote-keys'],
    ['rollup', 'rollup-batcher', 'rollup-batcher', '--submitter-key-file=/run/remote-keys/submitter.toml'],
  ])(
    'gives the keys of %s in a key service to %s, under an account of its own',
    async (option, pod, name, arg) => {
      const remote = `${option}.remoteKeys`;
      const set = [
        `${remote}.secret=of-keys`,
        `${remote}.filesSecret=of-pins`,
        `${remote}.serviceAccount.create=true`,
        `${remote}.serviceAccount.annotations.cloud\\.example/role=signs`,
        `${remote}.podLabels.cloud\\.example/identity=use`,
        `${remote}.libraryVolume.persistentVolumeClaim.claimName=library`,
      ];
      const manifests = await helm.manifests({ ...DEV, set });
      const kind = option === 'nodes' ? 'StatefulSet' : 'Deployment';
      const account = named(manifests, 'ServiceAccount', `tetrad-${pod}`);
      expect(account?.metadata).toMatchObject({ annotations: { 'cloud.example/role': 'signs' } });
      expect(JSON.stringify(named(manifests, kind, `tetrad-${pod}`))).toMatch(
        /"cloud.example\/identity":"use".+"serviceAccountName":"tetrad-.+of-keys.+of-pins.+"claimName":"library"/,
      );
      const [container, ...others] = containersIn(manifests).filter(({ args }) => args?.includes(arg));
      expect([container?.name, others]).toEqual([name, []]);
      expect(container?.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining(['/run/remote-keys', '/run/remote-key-files', '/opt/pkcs11']),
      );
    },
  );

  it('gives the signer no key files where it has none', async () => {
    const set = ['signer.keySecret=', 'signer.remoteKeys.secret=of-keys'];
    const manifests = await helm.manifests({ ...DEV, set });
    const [signer] = containersIn(manifests).filter(({ name }) => name === 'signer');
    expect(signer?.args?.filter((arg) => /keystores|multikey/.test(arg))).toEqual([
      '--multikey-signer-directory=/run/remote-keys',
    ]);
    expect(signer?.volumeMounts?.some(({ mountPath }) => mountPath === '/run/keys')).toBe(false);
  });

  it('makes no account and mounts no keys of services by default', async () => {
    const text = await helm.text(PRODUCTION);
    expect(text).not.toMatch(/ServiceAccount\b|serviceAccountName|remote-key|pkcs11/);
  });

  it('mounts the ABI files of the console where a ConfigMap is named', async () => {
    const manifests = await helm.manifests({ ...PRODUCTION, set: ['console.abiConfigMap=our-abis'] });
    const [console] = containersIn(manifests).filter(({ name }) => name === 'console');
    expect(console?.args).toContain('--abi-folder=/run/abis');
    expect(console?.volumeMounts).toContainEqual({ name: 'abis', mountPath: '/run/abis', readOnly: true });
    expect(JSON.stringify(named(manifests, 'Deployment', 'tetrad-console'))).toContain('our-abis');
    expect(await helm.text(PRODUCTION)).not.toContain('abis');
  });

  it('has the console compile sources where that is asked for', async () => {
    const argsOf = async (set: string[]) =>
      containersIn(await helm.manifests({ ...PRODUCTION, set })).find(({ name }) => name === 'console')?.args;
    expect(await argsOf([])).toContain('--verify-sources=false');
    expect(await argsOf(['console.verifySources=true'])).toContain('--verify-sources=true');
  });

  it('gives the console tokens for writing where they are named, and none else', async () => {
    const set = [
      'console.nodeWriteTokenSecret.name=of-nodes',
      'console.signerWriteTokenSecret.name=of-signer',
    ];
    const manifests = await helm.manifests({ ...PRODUCTION, set });
    const written = containersIn(manifests).filter(({ args = [] }) =>
      args.some((arg) => arg.includes('write-token')),
    );
    expect(
      written.map(({ name, args = [] }) => [name, args.filter((arg) => arg.includes('write-token'))]),
    ).toEqual([
      [
        'console',
        [
          '--node-write-token-file=/run/node-write-token/token',
          '--signer-write-token-file=/run/signer-write-token/token',
        ],
      ],
    ]);
    expect(JSON.stringify(named(manifests, 'Deployment', 'tetrad-console'))).toMatch(/of-nodes.+of-signer/);
    expect(await helm.text(PRODUCTION)).not.toContain('write-token');
  });

  it('has every container trust authorities of its own, where they are named', async () => {
    const all = containersIn(await helm.manifests(CERTIFICATES));
    for (const { name, env, volumeMounts } of all)
      expect({ name, env, volumeMounts }).toEqual({
        name,
        env: expect.arrayContaining([TRUST]),
        volumeMounts: expect.arrayContaining([{ name: 'trust', mountPath: '/run/trust', readOnly: true }]),
      });
    for (const { of, spec } of podsIn(await helm.manifests(CERTIFICATES)))
      expect({ name: of.metadata.name, volumes: spec.volumes }).toEqual({
        name: of.metadata.name,
        volumes: expect.arrayContaining([{ name: 'trust', configMap: { name: 'company-ca' } }]),
      });
    expect(await helm.text(PRODUCTION)).not.toMatch(/NODE_EXTRA_CA_CERTS|run\/trust/);
  });

  it('has the alerts that are tested with Prometheus, unless they are turned off', async () => {
    const rules: unknown = parse(await readFile(join(ROOT, 'docker/prometheus/rules/tetrad.yml'), 'utf8'));
    const manifests = await helm.manifests(PRODUCTION);
    expect(named(manifests, 'PrometheusRule', 'tetrad-alerts')?.spec).toEqual(rules);
    for (const off of [DEV, { ...PRODUCTION, set: ['monitoring.alerts=false'] }])
      expect(await helm.text(off)).not.toContain('PrometheusRule');
  });

  it('has every service send traces, where a collector is named', async () => {
    const isTraced = ({ args }: Container) =>
      args?.includes('--tracing-endpoint=http://collector.monitoring:4318');
    const services = containersIn(await helm.manifests(PRODUCTION)).filter(
      ({ command }) => command === undefined,
    );
    expect(services.filter((one) => !isTraced(one)).map(({ name }) => name)).toEqual([]);
    expect(await helm.text(DEV)).not.toContain('--tracing');
  });

  it('migrates as the owner, and grants rights to the roles of the services', async () => {
    const roles = { signer: 'signer_service', wallet: 'wallet_service' };
    const set = Object.entries(roles).map(([name, role]) => `migrations.grantTo.${name}=${role}`);
    const jobs = (await helm.manifests({ ...DEV, set })).filter(({ kind }) => kind === 'Job');
    for (const [name, role] of Object.entries(roles)) {
      const job = jobs.find(({ metadata }) => metadata.name === `tetrad-migrate-${name}`);
      expect(containersIn(job === undefined ? [] : [job])).toMatchObject([{ args: ['--grant-to', role] }]);
    }
    expect(await migrationUsage()).toContain('[--grant-to ROLE]');
    expect(jobs.flatMap((job) => containersIn([job])).filter(({ args }) => args !== undefined)).toHaveLength(
      2,
    );
  });

  it('keeps ports apart, and databases for those who own them', async () => {
    const manifests = await helm.manifests(PRODUCTION);
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    const portsOf = (name: string) =>
      named(manifests, 'NetworkPolicy', name)?.spec.ingress?.flatMap(({ ports }) =>
        ports.map(({ port }) => port),
      );
    expect(named(manifests, 'NetworkPolicy', 'tetrad-deny-all')?.spec.ingress).toBeUndefined();
    expect(portsOf('tetrad-peers')).toEqual([21_000, 9_103]);
    expect(portsOf('tetrad-node-clients')).toEqual([22_000]);
    expect(portsOf('tetrad-operations')).toEqual([22_100, 9_102, 8_546, 9_001, 6_011, 7_071]);
    // A rule without sources would admit every pod.
    for (const { spec } of policies)
      for (const { from = [] } of spec.ingress ?? []) expect(from.length).toBeGreaterThan(0);
    const owners = (database: string) =>
      podsIn(manifests).filter((pod) => pod.labels[`tetrad/database-${database}`] === 'owner');
    for (const database of ['node', 'manager', 'signer', 'wallet', 'rollup']) {
      expect(portsOf(`tetrad-database-${database}`)).toEqual([5_432]);
      expect(owners(database).some(({ of }) => of.kind === 'Job')).toBe(true);
      expect(owners(database).some(({ of }) => of.kind !== 'Job')).toBe(true);
    }
  });

  it('gives all roles the sizes of batches, and provers a read-only volume with points for them', async () => {
    const manifests = await helm.manifests(CERTIFICATES);
    const pods = podsIn(manifests).filter(({ of }) => /^tetrad-rollup-/.test(of.metadata.name));
    expect(pods.map(({ of }) => of.metadata.name).sort()).toEqual(
      ['api', 'batcher', 'prover'].map((role) => `tetrad-rollup-${role}`),
    );
    for (const { of, spec } of pods) {
      const [container] = spec.containers;
      const isProver = of.metadata.name === 'tetrad-rollup-prover';
      expect(container?.args).toContain('--batch-sizes=2,8,32');
      expect(container?.args?.includes('--points-dir=/run/points')).toBe(isProver);
      const mounts = container?.volumeMounts?.filter(({ name }) => name === 'points');
      const mount = { name: 'points', mountPath: '/run/points', readOnly: true };
      expect(mounts).toEqual(isProver ? [mount] : []);
    }
    expect(await helm.text(CERTIFICATES)).toContain(
      'persistentVolumeClaim: { claimName: rollup-points, readOnly: true }',
    );
    expect(await helm.text(DEV)).toContain('--batch-sizes=2\n');
    await expect(helm.text({ ...DEV, set: ['rollup.batchSizes={2,8}'] })).rejects.toThrow(
      'rollup.points.claim: batches of 8 need more proving points than the image has',
    );
    await expect(helm.text({ ...DEV, set: ['rollup.batchSizes={0}'] })).rejects.toThrow('minimum');
  });

  it('gives all roles the same bounds of what is accepted', async () => {
    const argsOf = async (values: Parameters<typeof helm.manifests>[0]) =>
      podsIn(await helm.manifests(values))
        .filter(({ of }) => /^tetrad-rollup-/.test(of.metadata.name))
        .map(({ spec }) => spec.containers[0]?.args ?? []);
    const usual = [
      '--account-quota=2000',
      '--account-quota-window=24h',
      '--max-pending=10000',
      '--min-order-amount=1000',
      '--min-transfer-amount=1000',
    ];
    const roles = await argsOf(DEV);
    expect(roles).toHaveLength(3);
    for (const args of roles) expect(args).toEqual(expect.arrayContaining(usual));
    const set = ['rollup.quotas.accountQuota=0', 'rollup.quotas.maxPending=1000000'];
    for (const args of await argsOf({ ...DEV, set }))
      expect(args).toEqual(expect.arrayContaining(['--account-quota=0', '--max-pending=1000000']));
    await expect(helm.text({ ...DEV, set: ['rollup.quotas.maxPending=3'] })).rejects.toThrow('minimum');
  });

  it('scales provers by a metric that the batcher shows', async () => {
    const text = await helm.text(PRODUCTION);
    // What running services show; a test of the monitoring compares it with them.
    const shown = await readFile(join(ROOT, 'libs/reference/metrics.json'), 'utf8');
    for (const metric of ['rollup_batches', 'rollup_batcher_active']) {
      expect(text).toContain(`${metric}{`);
      expect(shown).toContain(`"${metric}"`);
    }
    expect(named(await helm.manifests(PRODUCTION), 'Deployment', 'tetrad-rollup-prover')?.spec.replicas).toBe(
      undefined,
    );
    expect(await helm.text(DEV)).not.toMatch(/ScaledObject|ServiceMonitor|PodMonitor/);
  });

  it('has every pod scraped once, at operations ports that it has', async () => {
    const manifests = await helm.manifests(PRODUCTION);
    const scraped = manifests
      .filter(({ kind }) => kind.endsWith('Monitor'))
      .map(({ spec }) => spec as unknown as MonitorSpec);
    const pods = podsIn(manifests).filter(({ of }) => of.kind !== 'Job');
    const components = pods.map(({ labels }) => labels['app.kubernetes.io/component']);
    expect(
      scraped.flatMap(({ selector }) => selector.matchExpressions.flatMap(({ values }) => values)).sort(),
    ).toEqual(components.sort());
    const known = containersIn(manifests).flatMap(({ ports = [] }) => ports.map(({ name }) => name));
    for (const { endpoints = [], podMetricsEndpoints = [] } of scraped)
      for (const { port } of [...endpoints, ...podMetricsEndpoints]) expect(known).toContain(port);
  });

  it('passes the check of Helm', async () => {
    for (const { values } of [DEV, PRODUCTION])
      expect(await helm.lint(values)).toContain('0 chart(s) failed');
  });
});
