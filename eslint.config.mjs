import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import jsonc from 'jsonc-eslint-parser';
import tseslint from 'typescript-eslint';
import { docTags } from './lint/doc-tags.mjs';
import { literalSpreads } from './lint/literal-spreads.mjs';
import { plainWords } from './lint/plain-words.mjs';

/** What each layer may import, lowest first (ARCHITECTURE.md, "Layers"). */
const layers = {
  types: ['types'],
  crypto: ['types', 'crypto'],
  rpc: ['types', 'crypto', 'rpc'],
  storage: ['types', 'crypto', 'storage'],
  domain: ['types', 'crypto', 'rpc', 'storage', 'domain'],
  app: ['types', 'crypto', 'rpc', 'storage', 'domain', 'app'],
  tool: ['types', 'crypto', 'rpc', 'storage', 'app', 'tool'],
};
/**
 * Walls between the rooms of the node: a project with the tag must not depend on those of the others, not even
 * through another project. Consensus depends on the ledger, and the ledger on the pool.
 */
const walls = {
  pool: ['ledger', 'consensus'],
  ledger: ['consensus'],
};
const scopes = ['node', 'signer', 'rollup', 'wallet', 'manager', 'tool'];

/** What holds a secret, which not even `util.inspect` shows in a member of this kind. */
const holdSecrets = [
  'libs/service/src/secret.ts',
  'libs/service/src/token-file.ts',
  'libs/signer/keys/src/signing-key.ts',
  'libs/wallet/key/src/private-key.ts',
  'libs/wallet/store/src/vault/key-sealer.ts',
];
const hashMember = {
  selector: ':matches(PropertyDefinition, MethodDefinition) > PrivateIdentifier',
  message: 'Write `private`; `#` is for secrets (CONTRIBUTING.md).',
};

const depConstraints = [
  ...Object.entries(layers).map(([layer, allowed]) => ({
    sourceTag: `layer:${layer}`,
    onlyDependOnLibsWithTags: allowed.map((name) => `layer:${name}`),
  })),
  ...Object.entries(walls).map(([room, others]) => ({
    sourceTag: `room:${room}`,
    notDependOnLibsWithTags: others.map((name) => `room:${name}`),
  })),
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  ...scopes.map((scope) => ({
    sourceTag: `scope:${scope}`,
    onlyDependOnLibsWithTags: [`scope:${scope}`, 'scope:shared'],
  })),
];

const tetrad = {
  rules: { 'plain-words': plainWords, 'doc-tags': docTags, 'literal-spreads': literalSpreads },
};

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'apps/*/bundle',
      '**/node_modules',
      '**/src/generated',
      '**/store/generated',
      // AssemblyScript, which its own compiler checks.
      'libs/*/assembly',
      'libs/*/*/assembly',
      'libs/node/*/*/assembly',
      '**/artifacts',
      '.nx',
      '.tetrad',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints,
          // Services load PostgreSQL when they have no URL of a database, and the command line what a command needs; others need both at once.
          checkDynamicDependenciesExceptions: ['@tetrad/devnet', '@tetrad/embedded-postgres'],
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-duplicate-imports': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['test/architecture/plain-words.test.ts'],
    plugins: { tetrad },
    rules: { 'tetrad/plain-words': 'error' },
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { tetrad },
    rules: { 'tetrad/doc-tags': 'error', 'tetrad/literal-spreads': 'error' },
  },
  {
    // Members are private by TypeScript; `#` is for values that no other code may reach.
    files: ['**/*.{ts,tsx}'],
    ignores: holdSecrets,
    rules: { 'no-restricted-syntax': ['error', hashMember] },
  },
  {
    // Tests may use the testkit of the tool scope; programs for people may write to the terminal.
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // Tests included: those that need blocks of validators are next to the consensus rules of validators.
    files: ['libs/node/chain/ledger/**/*.ts', 'libs/node/chain/pool/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['@tetrad/node-consensus-*', '@tetrad/node-raft*', '**/consensus-*/**'] },
      ],
    },
  },
  {
    // An app only composes: SQL belongs to stores, and certificate files to the service layer.
    files: ['apps/*/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'pg', message: 'Statements belong to the store of the service.' },
            { name: 'node:tls', message: 'Files for TLS are read by libs/service/src/tls.' },
          ],
        },
      ],
    },
  },
  {
    // A handler names the parts that it uses.
    files: ['apps/*/src/rpc/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        hashMember,
        {
          selector:
            'TSTypeAnnotation > TSTypeReference[typeName.name=/^(Node|Operator|Signer|Wallet)Parts$/]',
          message: 'Take a Pick of the parts that are used.',
        },
      ],
    },
  },
  {
    // The launcher prints its help before it loads anything.
    files: ['apps/cli/src/**/*.ts', 'libs/devnet/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: '@tetrad/service', message: 'Import @tetrad/service/command-words.' }] },
      ],
    },
  },
  {
    files: ['libs/service/src/{command-words,nearest,package-version}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!node:|\\./(nearest|package-version)\\.js$)' }] },
      ],
    },
  },
  {
    // A project declares its imports, so that its image contains exactly those.
    files: ['apps/*/package.json', 'libs/**/package.json', 'bench/package.json'],
    languageOptions: { parser: jsonc },
    plugins: { '@nx': nx },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          checkMissingDependencies: true,
          checkObsoleteDependencies: true,
          checkVersionMismatches: false,
          // All sources count, whatever the inputs of a target leave out.
          buildTargets: [],
          // Imported by generated code, or found by name at run time.
          ignoredDependencies: ['@foundry-rs/cast', '@noir-lang/noir_wasm', 'embedded-postgres', 'solc'],
          ignoredFiles: [
            '{projectRoot}/**/*.test.ts',
            '{projectRoot}/test/**',
            '{projectRoot}/src/testing/**',
          ],
        },
      ],
    },
  },
  { files: ['apps/cli/**/*.ts', 'bench/**/*.ts', 'libs/devnet/**/*.ts'], rules: { 'no-console': 'off' } },
  prettier,
);
