// The ESLint rule `tetrad/literal-spreads`: an object or array literal and the arguments of a call have their members, and no
// spread of another literal, which would only lay them out in lines (CONTRIBUTING.md). `as const` does not make it another thing.

export const literalSpreads = {
  meta: {
    type: 'suggestion',
    docs: { description: 'refuse spreads of literals in literals and calls' },
    schema: [],
    messages: { found: 'a spread of a literal: write its members' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'found' });
    return {
      'ObjectExpression > SpreadElement': ({ argument }) => {
        if (literalOf(argument).type === 'ObjectExpression') report(argument);
      },
      ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement': ({ argument }) => {
        if (literalOf(argument).type === 'ArrayExpression') report(argument);
      },
    };
  },
};

const literalOf = (node) =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? literalOf(node.expression) : node;
