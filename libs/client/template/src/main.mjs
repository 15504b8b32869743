import { formatEther, parseEther } from 'viem';
import { connectMembers } from './network.mjs';
import { PrivateToken } from './token.mjs';

const [issuer, holder, outsider] = await connectMembers();
const token = await PrivateToken.deploy({
  name: 'Private dollar',
  symbol: 'PUSD',
  supply: parseEther('1000'),
  parties: [issuer, holder],
});
console.log(`The token is at ${token.address}.`);
await token.transfer({ from: issuer, to: holder, value: parseEther('25') });
console.log(`Issuer: ${formatEther(await token.balanceOf(issuer))} PUSD`);
console.log(`Holder: ${formatEther(await token.balanceOf(holder))} PUSD`);
console.log(`The third member ${(await token.isKnownTo(outsider)) ? 'has' : 'does not have'} the contract.`);
