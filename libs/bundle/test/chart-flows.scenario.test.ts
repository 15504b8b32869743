import { expect, it } from '@jest/globals';
import { PRODUCTION, describeWithHelm, helm } from './chart/chart.js';
import { admittedFlows, documentedFlows, nameOf, policyValues, type Flow } from './chart/flows.js';
import { containersIn } from './chart/manifest.js';

/** What production leaves empty: nodes of other organizations. */
const PEERS = { ipBlock: { cidr: '192.0.2.0/24' } };
const WITH_PEERS = { ...PRODUCTION, set: [`networkPolicy.peers[0].ipBlock.cidr=${PEERS.ipBlock.cidr}`] };

describeWithHelm('network policies of the chart', () => {
  const flowsOf = async (set: readonly string[] = []) => {
    const values = await policyValues(PRODUCTION.values);
    const networkPolicy = { ...values.networkPolicy, peers: [PEERS] };
    const manifests = await helm.manifests({ ...WITH_PEERS, set: [...WITH_PEERS.set, ...set] });
    return admittedFlows(manifests, { networkPolicy });
  };
  const names = (flows: readonly Flow[]) => flows.map(nameOf).sort();

  it('admit each documented flow, and no other', async () => {
    const documented = await documentedFlows();
    expect(documented.length).toBeGreaterThan(25);
    expect(names(await flowsOf())).toEqual(names(documented));
  });

  it('admit no console where there is none, and clients as before', async () => {
    const wanted = (await documentedFlows()).filter(({ from, to }) => from !== 'console' && to !== 'console');
    expect(names(await flowsOf(['console.enabled=false']))).toEqual(names(wanted));
  });

  it('admit the console where no clients are named', async () => {
    const values = await policyValues(PRODUCTION.values);
    const networkPolicy = { ...values.networkPolicy, clients: [] };
    const manifests = await helm.manifests({ ...PRODUCTION, set: ['networkPolicy.clients=null'] });
    const ofConsole = (flows: readonly Flow[]) => names(flows.filter(({ from }) => from === 'console'));
    expect(ofConsole(admittedFlows(manifests, { networkPolicy }))).toEqual(
      ofConsole(await documentedFlows()),
    );
  });

  it('are complete: what containers call by their options is documented', async () => {
    const documented = new Set((await documentedFlows()).map(nameOf));
    const called = containersIn(await helm.manifests(PRODUCTION)).flatMap(({ name, args = [] }) => {
      const text = args.join('\n');
      const isNode = /--downstream-http-host=tetrad-node|--chain-url=https?:\/\/tetrad-node:22000/.test(text);
      const isManager = /--peers=\S*tetrad-node-0\.tetrad-peers\S*:9103/.test(text);
      return [...(isNode ? [`${name} → node:22000`] : []), ...(isManager ? ['node → node:9103'] : [])];
    });
    expect(called.sort()).toEqual(['node → node:9103', 'rollup-batcher → node:22000', 'signer → node:22000']);
    expect(called.filter((one) => !documented.has(one))).toEqual([]);
  });
});
