// Compiles contracts/PrivateToken.sol to build/PrivateToken.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import solc from 'solc';

const FILE = 'contracts/PrivateToken.sol';
const input = {
  language: 'Solidity',
  sources: { [FILE]: { content: readFileSync(FILE, 'utf8') } },
  settings: {
    // Later versions have an instruction (PUSH0) that networks before Shanghai do not execute.
    evmVersion: 'london',
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
for (const { formattedMessage } of errors) console.error(formattedMessage);
if (errors.some(({ severity }) => severity === 'error')) process.exit(1);
const { abi, evm } = contracts[FILE].PrivateToken;
mkdirSync('build', { recursive: true });
writeFileSync('build/PrivateToken.json', JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` }));
