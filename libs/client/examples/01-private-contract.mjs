// Deploys a contract between two members, and reads it at three nodes.
import { deployStorage, members, storage } from './network.mjs';

const address = await deployStorage();
for (const { client } of members.slice(0, 3)) {
  const code = await client.getCode({ address });
  if (code === undefined) console.log('no contract');
  else console.log(await client.readContract({ ...storage, address, functionName: 'value' }));
}
