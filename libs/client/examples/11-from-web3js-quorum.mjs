// What the examples of web3js-quorum do, moved: docs/moving-in/web3js-quorum.md goes through it line by line.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { members, storage } from './network.mjs';

const [node1, node2, node3] = members;
const account = privateKeyToAccount(generatePrivateKey());
const privacy = {
  privateFrom: node1.ptmKey,
  privateFor: [node2.ptmKey],
  privacyFlag: 'mandatoryParties',
  mandatoryFor: [node2.ptmKey],
};

const hash = await node1.client.deployPrivateContract({ ...storage, args: [42n], account, ...privacy });
const { contractAddress: address } = await node1.client.waitForPrivateReceipt({ hash });
const contract = { ...storage, address };
console.log(await node1.client.readContract({ ...contract, functionName: 'value' }));
console.log((await node1.client.getContractPrivacy({ address })).privacyFlag);

const stored = await node1.client.writePrivateContract({
  ...contract,
  functionName: 'set',
  args: [47n],
  account,
  ...privacy,
});
const { isAgreed } = await node1.client.waitForPrivateReceipt({ hash: stored, parties: [node2.client] });
const [event] = await node2.client.getContractEvents({ ...contract, eventName: 'Set', fromBlock: 0n });
console.log(event.args.value, isAgreed);
console.log(await node2.client.readContract({ ...contract, functionName: 'value' }));
console.log((await node3.client.getCode({ address })) ?? 'no contract');
