import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

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
const scopes = ['node', 'signer', 'rollup', 'wallet', 'tool'];

const depConstraints = [
  ...Object.entries(layers).map(([layer, allowed]) => ({
    sourceTag: `layer:${layer}`,
    onlyDependOnLibsWithTags: allowed.map((name) => `layer:${name}`),
  })),
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  ...scopes.map((scope) => ({
    sourceTag: `scope:${scope}`,
    onlyDependOnLibsWithTags: [`scope:${scope}`, 'scope:shared'],
  })),
];

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '**/src/generated', '**/artifacts', '.nx', '.tetrad'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { enforceBuildableLibDependency: false, allow: [], depConstraints },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Tests may use the testkit of the tool scope; programs for people may write to the terminal.
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  { files: ['bench/**/*.ts', 'libs/devnet/**/*.ts'], rules: { 'no-console': 'off' } },
  prettier,
);
