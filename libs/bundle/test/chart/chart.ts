import { describe } from '@jest/globals';
import { Helm, findHelm } from './helm.js';
import type { Manifest } from './manifest.js';

const found = await findHelm();
if ('lacking' in found) process.stderr.write(`SKIPPED: the Helm chart: ${found.lacking}\n`);
export const describeWithHelm = 'lacking' in found ? describe.skip : describe;
export const helm = new Helm('lacking' in found ? '' : found.path);

/** The values that the chart is tested with, for `Helm`. */
export const DEV = { values: 'values-dev.yaml' };
export const PRODUCTION = { values: 'values-production.yaml' };
/** Everything that neither of the files turns on: certificates of clients, etcd, policies, an in-release chain. */
export const CERTIFICATES = {
  values: 'values-production.yaml',
  set: [
    'auth.mode=clientCertificates',
    'nodes.etcd.endpoints={https://etcd:2379}',
    'nodes.etcd.user=ledger',
    'nodes.etcd.tlsSecret=etcd-tls',
    'nodes.etcd.passwordSecret.name=etcd-password',
    'signer.tokenSecret.name=',
    'signer.downstream.keystoreSecret=signer-certificate',
    // The batcher has no certificate to show.
    'rollup.tokenSecret.name=',
    'rollup.chainUrl=http://ledger-gateway:22000/',
    'image.pullSecrets={registry}',
    'priorityClassName=ledger',
    'nodes.storage.className=fast',
    'nodes.extraArgs={--max-peers=20}',
    'managers.peers={https://manager.example:9103}',
    'rollup.batchSizes={2,8,32}',
    'rollup.points.claim=rollup-points',
    'trustedAuthorities.configMap=company-ca',
    'trustedAuthorities.key=root.pem',
  ],
};

/** The variable by which Node.js trusts further authorities. */
export const TRUST = { name: 'NODE_EXTRA_CA_CERTS', value: '/run/trust/root.pem' };

/** The object of that kind and name. */
export const named = (manifests: readonly Manifest[], kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);
