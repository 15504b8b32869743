/** One opcode, as two programs that differ in it alone: what it takes and costs is the difference. */
export interface OpcodeProgram {
  readonly name: string;
  /** Runs once. */
  readonly setup: string;
  /** Repeated; leaves the stack as it was. */
  readonly body: string;
  /** The body without the opcode. */
  readonly without: string;
}

/** Words of 256 bits whose products and quotients are as long as they can be. */
const WIDE = '0xfedcba9876543210f0e1d2c3b4a59687123456789abcdef0fedcba9876543211';
const OTHER = '0xc0ffee254729296a45a3885639ac7e10f9d54979f0e1d2c3b4a5968712345679';
const HALF = '0xfedcba9876543210f0e1d2c3b4a59687';
const NEGATIVE = '0xffffffffffffffffffffffffffffffffffffffffffffffff0000000000001235';

const unary = (name: string, operand: string, of = ''): OpcodeProgram => ({
  name: `${name}${of}`,
  setup: operand,
  body: `DUP1 ${name} POP`,
  without: 'DUP1 POP',
});

/** The first operand is on top of the stack when the opcode runs. */
const binary = (name: string, first: string, second: string, of = ''): OpcodeProgram => ({
  name: `${name}${of}`,
  setup: `${first} ${second}`,
  body: `DUP1 DUP3 ${name} POP`,
  without: 'DUP1 DUP3 POP POP',
});

const ternary = (name: string, operands: readonly [string, string, string], of = ''): OpcodeProgram => ({
  name: `${name}${of}`,
  setup: operands.join(' '),
  body: `DUP1 DUP3 DUP5 ${name} POP`,
  without: 'DUP1 DUP3 DUP5 POP POP POP',
});

const pushed = (name: string): OpcodeProgram => ({ name, setup: '', body: `${name} POP`, without: '' });

const WORDS: readonly OpcodeProgram[] = [
  binary('ADD', '3', '5', ', small'),
  binary('ADD', WIDE, OTHER),
  binary('MUL', '3', '5', ', small'),
  binary('MUL', WIDE, OTHER),
  binary('MUL', '0x1fffffffffffff', '0x1fffffffffffff', ', 53 bits'),
  binary('SUB', OTHER, WIDE),
  binary('SUB', '3', '5', ', below zero'),
  binary('DIV', WIDE, HALF),
  binary('SDIV', NEGATIVE, '0x1235'),
  binary('SDIV', WIDE, HALF, ', wide'),
  binary('MOD', WIDE, HALF),
  binary('SMOD', WIDE, HALF),
  ternary('ADDMOD', [HALF, WIDE, OTHER]),
  ternary('MULMOD', [HALF, WIDE, OTHER], ', 128 bits'),
  ternary('MULMOD', [OTHER, WIDE, WIDE], ', wide'),
  binary('EXP', WIDE, '0x3f', ', 1 byte'),
  binary('EXP', '3', '0xff', ', small ^ 1 byte'),
  binary('EXP', WIDE, `0x${'f'.repeat(16)}`, ', 8 bytes'),
  binary('EXP', WIDE, `0x${'f'.repeat(64)}`, ', 32 bytes'),
  binary('SIGNEXTEND', '15', WIDE),
  binary('LT', WIDE, OTHER),
  binary('SLT', WIDE, OTHER),
  binary('SGT', WIDE, OTHER),
  binary('EQ', WIDE, WIDE),
  unary('ISZERO', WIDE),
  binary('AND', WIDE, OTHER),
  binary('OR', WIDE, OTHER),
  binary('OR', WIDE, '5', ', mixed'),
  binary('XOR', WIDE, OTHER),
  unary('NOT', WIDE),
  unary('NOT', '5', ', small'),
  binary('BYTE', '3', WIDE),
  binary('SHL', '77', WIDE),
  binary('SHR', '77', WIDE),
  binary('SAR', '77', WIDE),
  unary('CLZ', WIDE),
  unary('CLZ', '5', ', small'),
];

const copied = (name: string, size: number): OpcodeProgram => ({
  name: `${name}, ${size} bytes`,
  setup: `0 ${size + 64} MSTORE`,
  body: `${size} 0 0 ${name}`,
  without: `${size} 0 0 POP POP POP`,
});

const logged = (topics: number): OpcodeProgram => ({
  name: `LOG${topics}, 32 bytes`,
  setup: `${WIDE} 0 MSTORE`,
  body: `${`${OTHER} `.repeat(topics)}32 0 LOG${topics}`,
  without: `${`${OTHER} `.repeat(topics)}32 0 POP POP${' POP'.repeat(topics)}`,
});

const hashed = (size: number): OpcodeProgram => ({
  name: `KECCAK256, ${size} bytes`,
  setup: `${WIDE} ${size} MSTORE`,
  body: `${size} 0 KECCAK256 POP`,
  without: `${size} 0 POP POP`,
});

const MEMORY: readonly OpcodeProgram[] = [
  { name: 'MLOAD', setup: `${WIDE} 0 MSTORE`, body: '0 MLOAD POP', without: '0 POP' },
  { name: 'MSTORE', setup: WIDE, body: 'DUP1 0 MSTORE', without: 'DUP1 0 POP POP' },
  { name: 'MSTORE8', setup: WIDE, body: 'DUP1 0 MSTORE8', without: 'DUP1 0 POP POP' },
  { name: 'MSTORE of a new word', setup: '', body: '0 MSIZE MSTORE', without: '0 MSIZE POP POP' },
  ...[0, 32, 136, 4_096].map(hashed),
  ...['CALLDATACOPY', 'CODECOPY', 'MCOPY'].flatMap((name) => [copied(name, 0), copied(name, 32)]),
  copied('MCOPY', 8_192),
  copied('CODECOPY', 8_192),
  ...[0, 1, 2, 3, 4].map(logged),
];

const FLOW: readonly OpcodeProgram[] = [
  { name: 'JUMPDEST', setup: '', body: 'JUMPDEST', without: '' },
  { name: 'POP', setup: '5', body: 'DUP1 POP', without: '' },
  { name: 'PUSH1', setup: '', body: '5 POP', without: '' },
  { name: 'PUSH32', setup: '', body: `${WIDE} POP`, without: '' },
  { name: 'SWAP1', setup: '5 7', body: 'SWAP1', without: '' },
  { name: 'JUMPI not taken', setup: '', body: '0 0 JUMPI', without: '0 0 POP POP' },
  ...['PC', 'MSIZE', 'GAS', 'ADDRESS', 'ORIGIN', 'CALLER', 'CALLVALUE', 'CALLDATASIZE', 'CODESIZE'].map(
    pushed,
  ),
  ...['GASPRICE', 'RETURNDATASIZE', 'COINBASE', 'TIMESTAMP', 'NUMBER', 'PREVRANDAO', 'GASLIMIT'].map(pushed),
  ...['CHAINID', 'SELFBALANCE', 'BASEFEE', 'BLOBBASEFEE'].map(pushed),
  unary('CALLDATALOAD', '0'),
  unary('BLOCKHASH', '1'),
  unary('BLOBHASH', '0'),
];

/** An account without code; the call to it, with all gas. */
const EMPTY = '0x7777777777777777777777777777777777777777';
const call = (name: string, of: string, operands: string): OpcodeProgram => ({
  name: `${name}${of}`,
  setup: '',
  body: `${operands} GAS ${name} POP`,
  without: `${operands} GAS${' POP'.repeat(operands.trim().split(/\s+/).length + 1)}`,
});

const STATE: readonly OpcodeProgram[] = [
  unary('SLOAD', '5', ', warm'),
  { name: 'SSTORE, warm', setup: '', body: '7 5 SSTORE', without: '7 5 POP POP' },
  unary('TLOAD', '5'),
  { name: 'TSTORE', setup: '', body: '7 5 TSTORE', without: '7 5 POP POP' },
  ...['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'].map((name) => unary(name, EMPTY, ', warm')),
  {
    name: 'EXTCODECOPY, 32 bytes, warm',
    setup: `0 64 MSTORE ${EMPTY} POP`,
    body: `32 0 0 ${EMPTY} EXTCODECOPY`,
    without: `32 0 0 ${EMPTY} POP POP POP POP`,
  },
  call('STATICCALL', ', no code, warm', `0 0 0 0 ${EMPTY}`),
  call('DELEGATECALL', ', no code, warm', `0 0 0 0 ${EMPTY}`),
  call('STATICCALL', ', identity', '32 0 32 0 4'),
  call('STATICCALL', ', SHA-256 of nothing', '32 0 0 0 2'),
  { name: 'CREATE, no code', setup: '', body: '0 0 0 CREATE POP', without: '0 0 0 POP POP POP' },
];

export const OPCODE_PROGRAMS: readonly OpcodeProgram[] = [...WORDS, ...MEMORY, ...FLOW, ...STATE];
